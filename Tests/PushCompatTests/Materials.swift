import PushCompat
import PushCrypto
import PushCore
import Testing
import PushReceiver

/// The bytes of a hexadecimal text, white space left out.
func bytes(_ hexadecimal: String) -> [UInt8] {
  let digits = hexadecimal.filter { !$0.isWhitespace }.map { UInt8($0.hexDigitValue!) }
  return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
}

/// The bytes of base64url without padding.
func base64URL(_ text: String) -> [UInt8] {
  guard let bytes = try? Base64URL.decode(text) else { preconditionFailure("not base64url: \(text)") }
  return bytes
}

/// A source that gives one value after another.
final class ScriptedRandom: RandomSource, @unchecked Sendable {
  private var values: [[UInt8]]

  init(_ values: [UInt8]...) { self.values = values }

  func fill(_ bytes: inout MutableSpan<UInt8>) {
    let value = values.removeFirst()
    precondition(bytes.count == value.count, "the source has \(value.count) bytes, not \(bytes.count)")
    for index in bytes.indices { bytes[index] = value[index] }
  }
}

extension WebPushCarriage {
  /// The members that carry a body.
  func payload(_ body: [UInt8]) -> JSONObject { members(of: body.span) }
}

/// Expects an opening to fail in one way.
func expect(
  _ error: EnvelopeFormatError, from format: some EnvelopeFormat, opening payload: JSONObject,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  #expect(throws: error, sourceLocation: sourceLocation) { try format.open(payload) }
}

extension JSONObject {
  /// The object with one member more, or another value, or without it.
  func with(_ key: String, _ value: JSONValue?) -> JSONObject {
    var object = self
    object[key] = value
    return object
  }
}

/// Text with one character changed: an `A` where there is none, else a `B`.
func changing(_ text: String, at offset: Int) -> String {
  var characters = Array(text.utf8)
  characters[offset] = characters[offset] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
  return String(decoding: characters, as: UTF8.self)
}
