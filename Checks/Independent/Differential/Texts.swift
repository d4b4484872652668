import PushCore
import PushKeys

/// The questions about texts: JSON, base64url and key sets.
enum Texts {
  /// The value of `text`, written canonically.
  static func json(_ question: Question) throws -> [UInt8] {
    try JSONValue(parsing: question["text"].span).encoded()
  }

  /// Skips the value of `text`.
  static func jsonSkipped(_ question: Question) throws -> [[UInt8]] {
    let text = question["text"]
    var reader = JSONReader(text.span)
    try reader.skipValue()
    try reader.finish()
    return []
  }

  /// Encodes `bytes`.
  static func base64URL(_ question: Question) -> [UInt8] {
    Array(Base64URL.encode(question["bytes"].span).utf8)
  }

  /// Encodes `bytes` by the other function, which appends to a text.
  static func base64URLAppended(_ question: Question) -> [UInt8] {
    var text = Array("before ".utf8)
    Base64URL.append(question["bytes"].span, to: &text)
    return text
  }

  /// Decodes `text`.
  static func bytes(_ question: Question) throws -> [UInt8] {
    try Base64URL.decode(question["text"].span)
  }

  /// Decodes `text` by the other function, character by character.
  static func bytesOneByOne(_ question: Question) throws -> [UInt8] {
    var bytes: [UInt8] = []
    try Base64URL.decode(question["text"].span) { bytes.append($0) }
    return bytes
  }

  /// The thumbprints of the keys of `set`, a public JWK Set, in their order.
  static func thumbprints(_ question: Question) throws -> [[UInt8]] {
    try PublicKeySet(parsing: question["set"].span).records.map { $0.id.bytes }
  }
}
