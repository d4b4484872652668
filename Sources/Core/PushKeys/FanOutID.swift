package import PushCore
internal import PushCrypto

extension MessageID {
  private static let fanOutLabel = Array("sealed-push v1 fan-out\0".utf8)

  /// The ID that this message has on the device with the key `recipient`, if it went to several devices: FORMAT.md, 9.
  package func ofFanOut(to recipient: Thumbprint) -> MessageID {
    // UUIDv8 of SHA-256("sealed-push v1 fan-out" 0x00 | id | T)[0..16).
    let input = Self.fanOutLabel + bytes + recipient.bytes
    var bytes = Array(SHA256.digest(input.span).prefix(Self.size))
    bytes[6] = bytes[6] & 0x0f | 0x80
    bytes[8] = bytes[8] & 0x3f | 0x80
    guard let derived = MessageID(bytes) else { preconditionFailure("SHA-256 has at least 16 bytes") }
    return derived
  }
}
