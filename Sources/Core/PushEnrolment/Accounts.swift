public import PushCore
internal import PushCrypto

extension AccountTag {
  // FORMAT.md, "The account".
  private static let label = Array("sealed-push v1 account\0".utf8)

  /// Derives the tag of a person's account on the device with this identity: FORMAT.md, "The account".
  ///
  /// `person` is the backend's own name for the person. The same inputs always give the same tag, so a backend need not
  /// store it.
  public init(person: String, identity: Thumbprint) {
    let input = Self.label + identity.bytes + Array(person.utf8)
    guard let tag = AccountTag(Array(SHA256.digest(input.span).prefix(Self.size))) else {
      preconditionFailure("SHA-256 has at least 16 bytes")
    }
    self = tag
  }
}

extension Registration {
  /// The tag of a person's account on the device; nil for nobody, and for somebody who does not have the device.
  func account(of person: String?) -> AccountTag? {
    guard let person, isOf(person) else { return nil }
    return AccountTag(person: person, identity: identity)
  }
}
