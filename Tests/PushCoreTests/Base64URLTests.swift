import PushTesting
import Foundation
import PushCore
import TestSupport
import Testing

struct Base64URLTests {
  @Test(
    "the examples of RFC 4648, section 10",
    arguments: [
      ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("fooba", "Zm9vYmE"),
      ("foobar", "Zm9vYmFy"),
    ])
  func examples(plain: String, text: String) throws {
    #expect(base64URL(Array(plain.utf8)) == text)
    #expect(try Base64URL.decode(text) == Array(plain.utf8))
  }

  @Test("the alphabet is that of section 5, in its order")
  func alphabet() throws {
    let text = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    let bytes = try Base64URL.decode(text)
    #expect(bytes.count == 48)
    #expect(Array(bytes.prefix(6)) == [0x00, 0x10, 0x83, 0x10, 0x51, 0x87])
    #expect(Array(bytes.suffix(3)) == [0xf3, 0xdf, 0xbf])
    #expect(base64URL(bytes) == text)
  }

  @Test(
    "every accident has its name and its place",
    arguments: [
      ("Zg==", .padding, 2), ("=", .padding, 0), ("Zm9v=", .padding, 4),
      ("Zm+v", .standardAlphabet, 2), ("Zm9/", .standardAlphabet, 3),
      ("Zm v", .whitespace, 2), ("\tZm9v", .whitespace, 0), ("Zm9v\n", .whitespace, 4),
      ("Zm9\r\nv", .whitespace, 3),
      ("Z\0m9v", .foreignCharacter, 1), ("Zmé", .foreignCharacter, 2), ("Z😀", .foreignCharacter, 1),
      ("Zm9v.", .foreignCharacter, 4), ("\u{feff}Zm9v", .foreignCharacter, 0),
      ("Zm9v\u{0b}", .foreignCharacter, 4), ("\u{ff21}AAA", .foreignCharacter, 0),
      ("Z", .impossibleLength, 1), ("Zm9vZ", .impossibleLength, 5), ("A", .impossibleLength, 1),
      ("Zh", .trailingBits, 1), ("Zm9", .trailingBits, 2), ("Zm9vAB", .trailingBits, 5),
      ("Zm9vAAB", .trailingBits, 6),
    ] as [(String, Base64URLError.Reason, Int)])
  func accidents(text: String, reason: Base64URLError.Reason, offset: Int) throws {
    let error = #expect(throws: Base64URLError.self) { try Base64URL.decode(text) }
    #expect(error?.reason == reason)
    #expect(error?.offset == offset)
    #expect(error?.description == "\(reason.rawValue) at byte \(offset)")
  }

  private static let alphabet = Set(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

  @Test("a byte outside the alphabet is refused, at every place")
  func foreignBytes() {
    for place in 0..<9 {
      for byte in UInt8.min...UInt8.max {
        var text = [UInt8](repeating: UInt8(ascii: "z"), count: 8) + Array("AAA".utf8)
        text[place] = byte
        let isDecoded = if case .success = together(text) { true } else { false }
        #expect(isDecoded == Self.alphabet.contains(byte), "\(text)")
      }
    }
  }

  /// The decoder of 32 characters at a time agrees with the one that decodes one by one.
  @Test("every byte at every place decodes as it does one by one")
  func everyByteAtEveryPlace() {
    let counts =
      Volume.isWhole ? Array(0...19) + Array(31...34) + Array(63...66) : Array(0...8) + [31, 32, 33, 66]
    for count in counts {
      for place in 0..<count {
        for byte in UInt8.min...UInt8.max {
          var text = [UInt8](repeating: UInt8(ascii: "z"), count: count - 1) + [UInt8(ascii: "A")]
          text[place] = byte
          if together(text) != oneByOne(text) { Issue.record("\(text)") }
        }
      }
    }
  }

  @Test("bytes of every length are the same text as Foundation's", arguments: 0...70)
  func everyLength(count: Int) throws {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: 167 &* $0 &+ count) }
    let text = Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
    #expect(base64URL(bytes) == text.replacing("=", with: ""))
    #expect(try Base64URL.decode(base64URL(bytes)) == bytes)
  }

  private func together(_ text: [UInt8]) -> Result<[UInt8], Base64URLError> {
    Result { () throws(Base64URLError) in try Base64URL.decode(text.span) }
  }

  private func oneByOne(_ text: [UInt8]) -> Result<[UInt8], Base64URLError> {
    Result { () throws(Base64URLError) in
      var bytes: [UInt8] = []
      try Base64URL.decode(text.span) { bytes.append($0) }
      return bytes
    }
  }

  @Test("of several accidents the first is named")
  func firstAccident() {
    let error = #expect(throws: Base64URLError.self) { try Base64URL.decode("Z m+v=") }
    #expect(error?.reason == .whitespace)
    #expect(error?.offset == 1)
  }

  @Test(
    "each last character but one in 16, or one in 4, has trailing bits", arguments: [("A", 4), ("AA", 16)])
  func trailingBits(prefix: String, valid: Int) {
    let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    let accepted = alphabet.filter { (try? Base64URL.decode(prefix + String($0))) != nil }
    #expect(accepted.count == valid)
  }

  @Test("all lengths agree with Foundation's base64, and read back", arguments: 0...70)
  func foundation(count: Int) throws {
    var generator = SeededGenerator(seed: UInt64(count))
    for _ in 0..<20 {
      let bytes = generator.bytes(count: count)
      let expected = Data(bytes).base64EncodedString()
        .replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
        .replacingOccurrences(of: "=", with: "")
      let text = base64URL(bytes)
      #expect(text == expected)
      #expect(text.utf8.count == Base64URL.encodedSize(of: count))
      #expect(try Base64URL.decode(text) == bytes)
    }
  }

  @Test("what decodes is the only text of its bytes")
  func canonical() {
    var generator = SeededGenerator(seed: 1)
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
    var decoded = 0
    for _ in 0..<2000 {
      let text = String(
        (0..<Int.random(in: 1...9, using: &generator)).map { _ in
          alphabet[Int.random(in: 0..<64, using: &generator)]
        })
      guard let bytes = try? Base64URL.decode(text) else { continue }
      decoded += 1
      #expect(base64URL(bytes) == text)
    }
    #expect(decoded > 200)
  }

  @Test("a text that is bridged or sliced decodes as another")
  func representations() throws {
    let bridged = String(NSString(string: "Zm9vYmFy"))
    #expect(try Base64URL.decode(bridged) == Array("foobar".utf8))
    #expect(try Base64URL.decode(String("xZm9vYmFyx".dropFirst().dropLast())) == Array("foobar".utf8))
  }
}
