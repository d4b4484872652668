import PushCore
import Testing

@Suite("The JSON grammar is strict")
struct JSONStrictnessTests {
  struct Refused: CustomTestStringConvertible, Sendable {
    let bytes: [UInt8]
    let reason: JSONError.Reason
    let offset: Int

    init(_ text: String, _ reason: JSONError.Reason, _ offset: Int) {
      self.init(Array(text.utf8), reason, offset)
    }

    init(_ bytes: [UInt8], _ reason: JSONError.Reason, _ offset: Int) {
      self.bytes = bytes
      self.reason = reason
      self.offset = offset
    }

    var testDescription: String { "\(String(decoding: bytes, as: UTF8.self)) \(reason.rawValue)" }
  }

  private func expectRefusal(_ refused: Refused) {
    #expect(throws: JSONError(refused.reason, at: refused.offset)) { try parse(refused.bytes) }
  }

  @Test(
    "structure",
    arguments: [
      Refused("", .unexpectedEnd, 0), Refused(" \n", .unexpectedEnd, 2),
      Refused("[1,]", .unexpectedByte, 3), Refused(#"{"a":1,}"#, .unexpectedByte, 7),
      Refused("[,1]", .unexpectedByte, 1), Refused("[1 2]", .unexpectedByte, 3),
      Refused("[1,,2]", .unexpectedByte, 3), Refused("{,}", .unexpectedByte, 1),
      Refused(#"{"a"}"#, .unexpectedByte, 4), Refused(#"{"a":}"#, .unexpectedByte, 5),
      Refused(#"{"a" 1}"#, .unexpectedByte, 5), Refused("{a:1}", .unexpectedByte, 1),
      Refused("{1:1}", .unexpectedByte, 1), Refused("{'a':1}", .unexpectedByte, 1),
      Refused(#"{"a":1;"b":2}"#, .unexpectedByte, 6), Refused("[1}", .unexpectedByte, 2),
      Refused(#"{"a":1]"#, .unexpectedByte, 6), Refused("]", .unexpectedByte, 0),
      Refused("[1", .unexpectedEnd, 2), Refused("[1,", .unexpectedEnd, 3), Refused("{", .unexpectedEnd, 1),
      Refused(#"{"a""#, .unexpectedEnd, 4), Refused(#"{"a":"#, .unexpectedEnd, 5),
      Refused(#"{"a":1"#, .unexpectedEnd, 6), Refused("\"a", .unexpectedEnd, 2),
      Refused("1 2", .trailingBytes, 2), Refused("{}{}", .trailingBytes, 2),
      Refused("[]]", .trailingBytes, 2),
      Refused("{}\0", .trailingBytes, 2), Refused("[\u{A0}]", .unexpectedByte, 1),
      Refused("[1\u{B}]", .unexpectedByte, 2), Refused("//x\n1", .unexpectedByte, 0),
      Refused("1 /* x */", .trailingBytes, 2), Refused("[1,#\n2]", .unexpectedByte, 3),
    ])
  func structure(_ refused: Refused) {
    expectRefusal(refused)
  }

  /// The reader looks at eight bytes of a string at once.
  @Test("every ASCII character at every offset in a string")
  func everyCharacterAtEveryPlace() throws {
    for place in 0..<18 {
      for byte in UInt8(0)..<0x80 {
        var text = [UInt8](repeating: UInt8(ascii: "a"), count: 18)
        text[place] = byte
        let json = [UInt8(ascii: "\"")] + text + [UInt8(ascii: "\"")]
        switch byte {
        case 0..<0x20: expectRefusal(Refused(json, .controlCharacter, 1 + place))
        case UInt8(ascii: "\""):
          expectRefusal(Refused(json, .trailingBytes, 2 + place))
        case UInt8(ascii: "\\"):
          expectRefusal(
            Refused(json, place == 17 ? .unexpectedEnd : .invalidEscape, place == 17 ? 20 : 1 + place))
        default: #expect(try parse(json) == .string(String(decoding: text, as: UTF8.self)))
        }
      }
      var text = [UInt8](repeating: UInt8(ascii: "a"), count: 18)
      text[place] = 0xff
      expectRefusal(Refused([UInt8(ascii: "\"")] + text + [UInt8(ascii: "\"")], .invalidUTF8, 1 + place))
    }
  }

  @Test(
    "numbers and literals",
    arguments: [
      Refused("01", .invalidNumber, 1), Refused("-01", .invalidNumber, 2), Refused("00", .invalidNumber, 1),
      Refused("1.", .unexpectedEnd, 2), Refused("[1.]", .invalidNumber, 3),
      Refused("1.e1", .invalidNumber, 2),
      Refused("-", .unexpectedEnd, 1), Refused("-a", .invalidNumber, 1), Refused("--1", .invalidNumber, 1),
      Refused("1e", .unexpectedEnd, 2), Refused("1e+", .unexpectedEnd, 3), Refused("[1e]", .invalidNumber, 3),
      Refused("1e1.5", .trailingBytes, 3), Refused("+1", .unexpectedByte, 0),
      Refused(".5", .unexpectedByte, 0),
      Refused("0x10", .trailingBytes, 1), Refused("1_000", .trailingBytes, 1),
      Refused("NaN", .unexpectedByte, 0),
      Refused("Infinity", .unexpectedByte, 0), Refused("-Infinity", .invalidNumber, 1),
      Refused("１", .unexpectedByte, 0), Refused("True", .unexpectedByte, 0),
      Refused("truE", .unexpectedByte, 3),
      Refused("tru", .unexpectedEnd, 3), Refused("nul", .unexpectedEnd, 3),
      Refused("nullx", .trailingBytes, 4),
      Refused("falze", .unexpectedByte, 3), Refused("undefined", .unexpectedByte, 0),
    ])
  func numbersAndLiterals(_ refused: Refused) {
    expectRefusal(refused)
  }

  @Test(
    "strings and escapes",
    arguments: [
      Refused("\"a\nb\"", .controlCharacter, 2), Refused("\"\0\"", .controlCharacter, 1),
      Refused("\"\u{1F}\"", .controlCharacter, 1), Refused("{\"\t\":1}", .controlCharacter, 2),
      Refused(#""\x""#, .invalidEscape, 1), Refused(#""\'""#, .invalidEscape, 1),
      Refused(#""\U0041""#, .invalidEscape, 1), Refused(#""\u00g0""#, .invalidEscape, 5),
      Refused(#""\u12""#, .invalidEscape, 5), Refused(#""\u+123""#, .invalidEscape, 3),
      Refused(#""\u00"#, .unexpectedEnd, 5), Refused("\"\\", .unexpectedEnd, 2),
      Refused(#""\"#, .unexpectedEnd, 2), Refused(#""a\""#, .unexpectedEnd, 4),
      Refused(#""\ud800""#, .loneSurrogate, 1), Refused(#""\udc00""#, .loneSurrogate, 1),
      Refused(#""a\udbff!""#, .loneSurrogate, 2), Refused(#""\ud800\n""#, .loneSurrogate, 1),
      Refused(#""\ud800\u0041""#, .loneSurrogate, 1), Refused(#""\ud800\ud800""#, .loneSurrogate, 1),
      Refused(#""\udc00\ud800""#, .loneSurrogate, 1), Refused(#"{"\ud800":1}"#, .loneSurrogate, 2),
    ])
  func strings(_ refused: Refused) {
    expectRefusal(refused)
  }

  @Test(
    "byte order marks and UTF-16",
    arguments: [
      Refused([0xEF, 0xBB, 0xBF] + Array("{}".utf8), .byteOrderMark, 0),
      Refused([0xEF, 0xBB, 0xBF], .byteOrderMark, 0), Refused([0xEF, 0xBB], .unexpectedByte, 0),
      Refused([0xFE, 0xFF, 0, 0x7B, 0, 0x7D], .byteOrderMark, 0),
      Refused([0xFF, 0xFE, 0x7B, 0, 0x7D, 0], .byteOrderMark, 0),
      Refused([0x7B, 0, 0x7D, 0], .unexpectedByte, 1), Refused([0, 0x7B, 0, 0x7D], .unexpectedByte, 0),
      Refused([0xFF], .unexpectedByte, 0), Refused("{}\u{FEFF}", .trailingBytes, 2),
      Refused(" \u{FEFF}{}", .unexpectedByte, 1),
    ])
  func encodings(_ refused: Refused) {
    expectRefusal(refused)
  }

  private func expectAsInStandardLibrary(_ text: [UInt8]) {
    let isRead = (try? parse([UInt8(ascii: "\"")] + text + [UInt8(ascii: "\"")])) != nil
    if isRead != String(decoding: text, as: UTF8.self).utf8.elementsEqual(text) { Issue.record("\(text)") }
  }

  @Test("a string has the bytes that the standard library allows in UTF-8, and no others")
  func everyByte() {
    for first in UInt8(0x80)...0xff {
      for second in UInt8(0x80)...0xff {
        for length in 2...4 {
          expectAsInStandardLibrary([first, second] + [UInt8](repeating: 0x80, count: length - 2))
        }
      }
    }
    for text: [UInt8] in [[0xE1, 0x80, 0x80], [0xF1, 0x80, 0x80, 0x80]] {
      for place in 2..<text.count {
        for byte in UInt8(0x80)...0xff {
          var text = text
          text[place] = byte
          expectAsInStandardLibrary(text)
        }
      }
    }
  }

  static let malformedSequences: [[UInt8]] = [
    [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xC2], [0xC2, 0x41], [0xC3, 0xC3],
    [0xE0, 0x80, 0x80], [0xE0, 0x9F, 0xBF], [0xE2, 0x82], [0xE2, 0x28, 0xA1], [0xE2, 0x82, 0x28],
    [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF], [0xED, 0xA0, 0x80, 0xED, 0xB0, 0x80],
    [0xF0, 0x80, 0x80, 0x80], [0xF0, 0x8F, 0xBF, 0xBF], [0xF0, 0x9F, 0x98], [0xF0, 0x9F, 0x28, 0x80],
    [0xF0, 0x9F, 0x98, 0x28], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80],
    [0xF8, 0x88, 0x80, 0x80, 0x80], [0xFE], [0xFF],
  ]

  @Test("broken UTF-8, in a skipped value and in a key", arguments: malformedSequences)
  func brokenUTF8(_ bytes: [UInt8]) {
    let inValue = Array(#"{"unused":["x"#.utf8) + bytes + Array(#""],"a":1}"#.utf8)
    #expect(throws: JSONError(.invalidUTF8, at: 13)) { try parse(inValue) }
    let inKey = Array(#"{""#.utf8) + bytes + Array(#"":1}"#.utf8)
    #expect(throws: JSONError(.invalidUTF8, at: 2)) { try parse(inKey) }
    #expect(throws: JSONError(.invalidUTF8, at: 1)) { try parse([0x22] + bytes) }
  }

  @Test(
    "duplicate keys, compared after unescaping",
    arguments: [
      Refused(#"{"a":1,"a":1}"#, .duplicateKey, 7), Refused(#"{"a":1,"\u0061":2}"#, .duplicateKey, 7),
      Refused(#"{"\u0061":1,"b":0,"a":2}"#, .duplicateKey, 18), Refused(#"{"":1,"":2}"#, .duplicateKey, 6),
      Refused(#"[{"x":{"/":1,"\/":2}}]"#, .duplicateKey, 13),
      Refused(#"{"😀":1,"\ud83d\ude00":2}"#, .duplicateKey, 10),
    ])
  func duplicateKeys(_ refused: Refused) {
    expectRefusal(refused)
  }

  @Test("a duplicate key is found in a large object too", arguments: [15, 16, 17, 18, 500])
  func duplicateInLargeObject(count: Int) {
    let members = (0..<count).map { #""k\#($0)":0"# }
    let text = "{" + members.joined(separator: ",")
    #expect(throws: Never.self) { try parse(text + "}") }
    for repeated in [0, count / 2, count - 1] {
      let refused = text + #","k\#(repeated)":1}"#
      #expect(throws: JSONError(.duplicateKey, at: text.utf8.count + 1)) { try parse(refused) }
    }
  }
}
