/// What an algorithm is in a JWK.
extension KeyAlgorithm {
  /// `kty`.
  var keyType: String { curve?.keyType ?? "oct" }

  /// `crv`; null for a shared key, which is no point of any.
  var curve: Curve? {
    switch self {
    case .x25519: .x25519
    case .p256: .p256
    case .ed25519: .ed25519
    case .shared: nil
    }
  }

  /// The member that holds the private or shared key.
  var secretMember: KeyMember { self == .shared ? .sharedKey : .privateKey }

  /// Who has such keys, in a set that does not say.
  var role: KeyRole {
    switch self {
    case .x25519, .p256: .device
    case .ed25519: .sender
    case .shared: .shared
    }
  }
}

extension KeyRole {
  /// `use`.
  var use: String {
    switch self {
    case .device, .shared: "enc"
    case .sender, .identity, .root: "sig"
    }
  }
}
