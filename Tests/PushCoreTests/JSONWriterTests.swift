import PushCore
import Testing

/// Escaping at every position, because the writer looks at eight bytes at a time.
struct JSONWriterTests {
  private static let lengths = 0...19

  @Test("every ASCII character, at every offset in a text", arguments: 0..<UInt8(0x80))
  func places(character: UInt8) {
    for length in Self.lengths {
      for place in 0...length {
        let (before, after) = (
          [UInt8](repeating: 0x61, count: place), [UInt8](repeating: 0x7a, count: length - place)
        )
        let text = String(decoding: before + [character] + after, as: UTF8.self)
        let expected = [0x22] + before + Self.escaped(character) + after + [0x22]
        #expect(JSONValue.string(text).encoded() == expected)
      }
    }
  }

  @Test("bytes above ASCII are left as they are", arguments: ["é", "…", "😀", "\u{80}", "\u{a0}"])
  func others(character: String) {
    for length in Self.lengths {
      let text = String(repeating: "a", count: length) + character + String(repeating: "z", count: length)
      #expect(JSONValue.string(text).encoded() == Array("\"\(text)\"".utf8))
    }
  }

  @Test("several in a row, and at both ends")
  func rows() {
    let text = "\"\\\n12345678\u{1}\u{1f}\""
    #expect(JSONValue.string(text).encoded() == Array(#""\"\\\n12345678\u0001\u001f\"""#.utf8))
  }

  /// RFC 8259, 7, with the short form where there is one.
  private static func escaped(_ character: UInt8) -> [UInt8] {
    let short: [UInt8: Character] = [
      0x08: "b", 0x09: "t", 0x0a: "n", 0x0c: "f", 0x0d: "r", 0x22: "\"", 0x5c: "\\",
    ]
    if let letter = short[character] { return Array("\\\(letter)".utf8) }
    guard character < 0x20 else { return [character] }
    let digits = String(character, radix: 16)
    return Array("\\u".utf8) + Array(String(repeating: "0", count: 4 - digits.utf8.count).utf8)
      + Array(digits.utf8)
  }
}
