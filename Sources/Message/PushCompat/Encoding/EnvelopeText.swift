internal import PushCrypto
internal import PushCore

/// The text of an envelope in a member of a payload; it encodes bytes.
struct EnvelopeText {
  /// The longest text that is decoded, in characters.
  ///
  /// No payload has room for a longer one.
  static let maximumSize = 8192

  /// The most bytes that base64 text of ``maximumSize`` can hold.
  static let maximumByteCount = maximumSize / 4 * 3

  /// The member's name, for errors.
  let member: String

  private let text: [UInt8]

  /// Takes the text of a member at a payload's top level.
  ///
  /// - Throws: `EnvelopeFormatError.absent`, `EnvelopeFormatError.malformed(member:)`, `EnvelopeFormatError.tooLarge`.
  init(member: String, of payload: JSONObject) throws(EnvelopeFormatError) {
    try self.init(payload[member], named: member)
  }

  /// Takes a member's value, which must be a string.
  ///
  /// - Throws: `EnvelopeFormatError.absent`, `EnvelopeFormatError.malformed(member:)`, `EnvelopeFormatError.tooLarge`.
  init(_ value: JSONValue?, named member: String) throws(EnvelopeFormatError) {
    guard let value else { throw .absent }
    guard let string = value.string else { throw .malformed(member: member) }
    try self.init(string, named: member)
  }

  /// Takes a member's text.
  ///
  /// - Throws: `EnvelopeFormatError.tooLarge`.
  init(_ text: String, named member: String) throws(EnvelopeFormatError) {
    guard text.utf8.count <= Self.maximumSize else { throw .tooLarge }
    self.member = member
    self.text = Array(text.utf8)
  }

  /// The bytes, at least `count` of them.
  ///
  /// - Throws: `EnvelopeFormatError.malformed(member:)`.
  func decoded(
    atLeast count: Int = 0, by decode: (Span<UInt8>) -> [UInt8]?
  ) throws(EnvelopeFormatError) -> [UInt8] {
    guard let bytes = decode(text.span), bytes.count >= count else { throw .malformed(member: member) }
    return bytes
  }
}

extension EnvelopeFormatError {
  init(_ error: CryptoError) {
    self =
      switch error {
      case .notAuthentic, .invalidPublicKey, .invalidPrivateKey, .messageLimitReached: .notAuthentic
      case .unavailable, .keyLocked, .keyUnavailable: .unavailable
      }
  }
}
