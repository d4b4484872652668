import PushReceiver
import Testing

/// The text form of a `.strings` file.
struct LocalizationStringsTests {
  private func text(_ file: String, forKey key: String = "a") throws -> String? {
    try StringTable(file).format(forKey: key)
  }

  @Test(
    "an entry",
    arguments: [
      #""a" = "b";"#, #""a"="b";"#, " \n\t\"a\"\r\n=\u{B}\u{C}\"b\" ;\n", "a = b;", #"a = "b";"#,
      "'a' = 'b';",
      #"/* c */ "a" /* = */ = /* "x" */ "b" /**/ ; /***/"#, "// c\n\"a\" = // d\r\"b\";//",
      #"{ "a" = "b"; }"#,
      "// c\n{a=b;}// d", "/* * / ** // \" */a=b;", "// x\u{2028}a = b;\u{2029}", #""a" = "x"; "a" = "b";"#,
      "\u{FEFF}a = b;",
    ])
  func entry(file: String) throws {
    #expect(try StringTable(file) == StringTable(#""a" = "b";"#))
    #expect(try text(file) == "b")
  }

  @Test("several entries, and an entry that is its own text")
  func several() throws {
    let table = try StringTable("\"a\" = \"b\";\n\"c d\";\ne;\"\" = \"\";")
    #expect(table.format(forKey: "a") == "b")
    #expect(table.format(forKey: "c d") == "c d")
    #expect(table.format(forKey: "e") == "e")
    #expect(table.format(forKey: "") == "")
    #expect(table.format(forKey: "b") == nil)
  }

  @Test("a text without quotes", arguments: ["azAZ09_.$/:-", "a//b", "/", "/a", "-1.5", "a/"])
  func unquoted(text: String) throws {
    #expect(try StringTable("k = \(text) ;").format(forKey: "k") == text)
    #expect(try StringTable("\(text)=v;").format(forKey: text) == "v")
  }

  @Test(
    "escapes",
    arguments: [
      (#"\n\t\r"#, "\n\t\r"), (#"\"\\\'"#, "\"\\'"), (#"\%\/\ \é"#, "%/ é"), ("x\\\ny", "x\ny"),
      ("x\ny\r\nz", "x\ny\r\nz"), (#"\101\1\12x\0"#, "A\u{1}\nx\u{0}"), (#"\1018\177"#, "A8\u{7F}"),
      (#"\U00e9\U00E9"#, "éé"), (#"\U41g\Ue9"#, "Agé"), (#"\U00e91"#, "é1"), (#"\Ud83d\Ude00"#, "😀"),
      (#"\Ud83dx"#, "\u{FFFD}x"), (#"\\U00e9"#, #"\U00e9"#), ("'", "'"), ("é😀", "é😀"),
    ])
  func escapes(written: String, read: String) throws {
    #expect(try text("a = \"\(written)\";") == read)
    #expect(try text("\"\(written)\" = v;", forKey: read) == "v")
  }

  @Test("a quote of the other kind is a character")
  func quotes() throws {
    #expect(try text(#"'a' = 'x"y\'z';"#) == #"x"y'z"#)
  }

  @Test("nothing at all", arguments: ["", " ", "\n", "/* */", "//", "{}", " { /* */ } // ", "\u{FEFF}"])
  func nothing(file: String) throws {
    #expect(try StringTable(file) == StringTable(""))
  }

  @Test("keys are compared by their bytes")
  func keys() throws {
    let table = try StringTable("\"e\u{301}\" = 1; \"é\" = 2;")
    #expect(table.format(forKey: "e\u{301}") == "1")
    #expect(table.format(forKey: "é") == "2")
  }

  @Test("tables of other texts are not equal")
  func equality() throws {
    #expect(try StringTable("a = b;") != StringTable("a = c;"))
    #expect(try StringTable("a = b;") != StringTable("c = b;"))
  }

  @Test("UTF-16, with a mark or without", arguments: [true, false], ["", "\u{FEFF}"])
  func utf16(isBigEndian: Bool, mark: String) throws {
    let file = "\(mark)/* é */ \"a\" = \"é😀\";"
    #expect(try StringTable(bytes: file.utf16Bytes(isBigEndian: isBigEndian)) == StringTable("a = \"é😀\";"))
  }

  @Test("half a surrogate pair in UTF-16 becomes U+FFFD")
  func loneSurrogate() throws {
    let bytes = "a=\"".utf16Bytes(isBigEndian: true) + [0xD8, 0x3D] + "\";".utf16Bytes(isBigEndian: true)
    #expect(try StringTable(bytes: bytes).format(forKey: "a") == "\u{FFFD}")
  }
}
