internal import PushPayload
internal import PushReceiver

/// A member of a payload whose text is bytes in some encoding.
struct EnvelopeText {
  /// The longest that is decoded, in characters: more than any payload has room for.
  static let maximumSize = 8192

  /// The member's name, for errors.
  let member: String

  private let text: [UInt8]

  /// Takes a member that must be a string.
  ///
  /// - Throws: `EnvelopeFormatError.absent`, ``EnvelopeFormatError/malformed(member:)``,
  ///   `EnvelopeFormatError.tooLarge`.
  init(_ member: String, of payload: JSONObject) throws(EnvelopeFormatError) {
    guard let value = payload[member] else { throw .absent }
    guard let string = value.string else { throw .malformed(member: member) }
    guard string.utf8.count <= Self.maximumSize else { throw .tooLarge }
    self.member = member
    text = Array(string.utf8)
  }

  /// The bytes, at least `count` of them.
  ///
  /// - Throws: ``EnvelopeFormatError/malformed(member:)``.
  func decoded(
    atLeast count: Int, by decode: (Span<UInt8>) -> [UInt8]?
  ) throws(EnvelopeFormatError) -> [UInt8] {
    guard let bytes = decode(text.span), bytes.count >= count else { throw .malformed(member: member) }
    return bytes
  }
}
