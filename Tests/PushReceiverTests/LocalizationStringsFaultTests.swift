import PushReceiver
import Testing

/// What is wrong with a `.strings` file, and on which line.
struct LocalizationStringsFaultTests {
  @Test(
    "a fault has its line",
    arguments: [
      ("\"a\" = \"b\"\n\"c\" = \"d\";", .missingSemicolon(line: 1)),
      ("\n\"a\" = \"b\"", .missingSemicolon(line: 2)),
      ("a\n", .missingSemicolon(line: 1)), ("{\na = b\n}", .missingSemicolon(line: 2)),
      ("\"a\" = \"x\ny\"\n", .missingSemicolon(line: 2)), ("\r\na = b\r\n", .missingSemicolon(line: 2)),
      ("a = b;\r\rc = d\n", .missingSemicolon(line: 3)),
      ("a = b;;", .unexpectedCharacter(line: 1)), ("\n\n;", .unexpectedCharacter(line: 3)),
      ("a b;", .unexpectedCharacter(line: 1)), ("a\n\"b\" = c;", .unexpectedCharacter(line: 2)),
      ("a = \n;", .unexpectedCharacter(line: 2)), ("= b;", .unexpectedCharacter(line: 1)),
      ("a = = b;", .unexpectedCharacter(line: 1)), ("a+b = c;", .unexpectedCharacter(line: 1)),
      ("é = c;", .unexpectedCharacter(line: 1)), ("a = (b, c);", .unexpectedCharacter(line: 1)),
      ("a = {b = c;};", .unexpectedCharacter(line: 1)), ("a = <0fbd>;", .unexpectedCharacter(line: 1)),
      ("a\u{A0}= b;", .unexpectedCharacter(line: 1)), ("a/*b*/ = c;", .unexpectedCharacter(line: 1)),
      ("{ a = b; }\nx", .unexpectedCharacter(line: 2)), ("{}{}", .unexpectedCharacter(line: 1)),
      ("}", .unexpectedCharacter(line: 1)), ("a = b; }", .unexpectedCharacter(line: 1)),
      ("{\"a\":\"b\"}", .unexpectedCharacter(line: 1)), ("\u{0}", .unexpectedCharacter(line: 1)),
      ("\na = \"b\n\n", .unexpectedEnd(line: 2)), ("a = 'b\";\n", .unexpectedEnd(line: 1)),
      ("a = b;\n/* \n", .unexpectedEnd(line: 2)), ("/*/", .unexpectedEnd(line: 1)),
      ("/*", .unexpectedEnd(line: 1)),
      ("\n\na\n=\n", .unexpectedEnd(line: 3)), ("// x\n{ a = b;\n", .unexpectedEnd(line: 2)),
      ("{", .unexpectedEnd(line: 1)), ("a = \"b\\", .unexpectedEnd(line: 1)), ("\"", .unexpectedEnd(line: 1)),
    ] as [(String, StringTableError)])
  func faults(file: String, error: StringTableError) {
    #expect(throws: error) { try StringTable(file) }
  }

  @Test(
    "no escape",
    arguments: [
      #"\u00e9"#, #"\x41"#, #"\a"#, #"\b"#, #"\f"#, #"\v"#, #"\N"#, #"\8"#, #"\q"#, #"\U"#, #"\Ug"#, #"\200"#,
      #"\377"#, #"\400"#, #"\777"#,
    ])
  func escapes(written: String) {
    #expect(throws: StringTableError.invalidEscape(line: 2)) { try StringTable("\na = \"\(written)\";") }
  }

  @Test(
    "XML",
    arguments: [
      "<?xml version=\"1.0\"?><plist><dict/></plist>", "\n<plist/>", "<!DOCTYPE plist>", "\u{FEFF}<?xml", "<",
    ])
  func xml(file: String) {
    #expect(throws: StringTableError.xmlPropertyList) { try StringTable(file) }
  }

  @Test(
    "no UTF-8",
    arguments: [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xE2, 0x82], [0x80]]
      as [[UInt8]])
  func utf8(bytes: [UInt8]) {
    let file = Array("a = b;\n\"".utf8) + bytes + Array("\" = d;".utf8)
    #expect(throws: StringTableError.invalidText(line: 2)) { try StringTable(bytes: file) }
  }

  @Test("a file in UTF-16 with half a unit")
  func utf16() {
    let file = "\u{FEFF}a = b;\nc = d;".utf16Bytes(isBigEndian: true)
    #expect(throws: StringTableError.invalidText(line: 2)) { try StringTable(bytes: file + [0]) }
  }

  @Test("a file of 4 MiB is read, and a larger one is not")
  func size() throws {
    let largest = Array("a=b;".utf8) + Array(repeating: UInt8(ascii: " "), count: 4 * 1024 * 1024 - 4)
    #expect(try StringTable(bytes: largest) == StringTable("a = b;"))
    #expect(throws: StringTableError.tooLarge) { try StringTable(bytes: largest + [0x20]) }
    #expect(throws: StringTableError.tooLarge) {
      try StringTable(catalog: (largest + [0x20]).span, languages: [])
    }
  }

  @Test("100,000 entries are read, and more are not")
  func count() throws {
    let largest = (0..<100_000).map { "k\($0);" }.joined()
    #expect(try StringTable(largest).format(forKey: "k99999") == "k99999")
    #expect(try StringTable(largest + "k0;") == StringTable(largest))
    #expect(throws: StringTableError.tooManyEntries) { try StringTable(largest + "more;") }
  }
}
