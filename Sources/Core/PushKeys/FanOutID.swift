public import PushCore
internal import PushCrypto

extension MessageID {
  private static let fanOutLabel = Array("sealed-push v1 fan-out\0".utf8)

  /// Returns the ID of this message for one of several devices.
  ///
  /// The same inputs always give the same ID. Without the original ID, nobody can tell that two derived IDs belong to
  /// the same message.
  public func derived(for recipient: Thumbprint) -> MessageID {
    // FORMAT.md, 9: UUIDv8 of SHA-256("sealed-push v1 fan-out" 0x00 | id | T)[0..16).
    let input = Self.fanOutLabel + bytes + recipient.bytes
    var bytes = Array(SHA256.digest(input.span).prefix(Self.size))
    bytes[6] = bytes[6] & 0x0f | 0x80
    bytes[8] = bytes[8] & 0x3f | 0x80
    guard let derived = MessageID(bytes) else { preconditionFailure("SHA-256 has at least 16 bytes") }
    return derived
  }

  /// The IDs that this message may have on a device: its own, and those derived for the device's keys.
  package func ids(on keys: [Thumbprint]) -> [MessageID] { [self] + keys.map(derived) }
}
