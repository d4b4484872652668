import PushCore
import Testing

@Suite("What JSON allows is read and written exactly")
struct JSONAcceptanceTests {
  @Test(
    "white space is read and not written",
    arguments: [
      (" \t\r\n1\n", "1"), ("[ ]", "[]"), ("{ }", "{}"), ("[ 1 , 2 ]", "[1,2]"),
      ("\n{ \"a\" :\t[ true , null ] ,\r\n\"b\" : { } }\n", #"{"a":[true,null],"b":{}}"#),
    ])
  func whitespace(text: String, canonical: String) throws {
    #expect(print(try parse(text)) == canonical)
  }

  @Test(
    "escapes are read; only those that are needed are written",
    arguments: [
      (#""\"\\\/\b\f\n\r\t""#, #""\"\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"),
      (#""\u0000\u001F\u0010\u000b""#, #""\u0000\u001f\u0010\u000b""#, "\0\u{1F}\u{10}\u{B}"),
      (
        #""\u00e9\u20AC\uffff\ud83d\uDE00\udbff\udfff""#, "\"é€\u{FFFF}😀\u{10FFFF}\"", "é€\u{FFFF}😀\u{10FFFF}"
      ),
      (#""\ud800\udc00""#, "\"\u{10000}\"", "\u{10000}"),
      ("\"\u{7F}\u{2028}\"", "\"\u{7F}\u{2028}\"", "\u{7F}\u{2028}"),
      ("\"a\u{FEFF}\"", "\"a\u{FEFF}\"", "a\u{FEFF}"), (#""\\u0041""#, #""\\u0041""#, #"\u0041"#),
    ])
  func escapes(text: String, canonical: String, content: String) throws {
    let value = try parse(text)
    #expect(value == .string(content))
    #expect(value.encoded() == Array(canonical.utf8))
    #expect(try parse(canonical) == value)
  }

  @Test(
    "the first and last code points of every UTF-8 length",
    arguments: [
      0x20, 0x7F, 0x80, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFFFF, 0x1_0000, 0x3_FFFF, 0x4_0000, 0x10_FFFF,
    ])
  func borders(codePoint: UInt32) throws {
    let scalar = try #require(Unicode.Scalar(codePoint))
    let value = JSONValue.string(String(scalar))
    #expect(try parse(value.encoded()) == value)
  }

  @Test("values are equal only if their type and their contents are")
  func equality() {
    let values: [JSONValue] = [
      .null, true, false, 0, 1, 1.5, "", "1", "true", [], [1], [1, 1], [:], ["a": 1], ["a": 2], ["b": 1],
      ["a": 1, "b": 1], ["b": 1, "a": 1],
    ]
    for (index, value) in values.enumerated() {
      #expect(value == values[index])
      for other in values[..<index] { #expect(value != other && other != value) }
    }
  }

  @Test("strings and keys are compared by their bytes")
  func canonicalEquivalence() throws {
    let composed = "\u{E9}"
    let decomposed = "e\u{301}"
    #expect(composed == decomposed, "this is how String compares")
    #expect(JSONValue.string(composed) != .string(decomposed))
    #expect(JSONValue.string(composed) == .string("\u{E9}"))

    let text = "{\"\(composed)\":1,\"\(decomposed)\":2}"
    var object = try #require(try parse(text).object)
    #expect(object.count == 2)
    #expect(object[composed] == 1)
    #expect(object[decomposed] == 2)
    #expect(object.encoded() == Array(text.utf8))
    object[composed] = nil
    #expect(object.encoded() == Array("{\"\(decomposed)\":2}".utf8))
    #expect(JSONObject(dictionaryLiteral: (composed, 1)) != JSONObject(dictionaryLiteral: (decomposed, 1)))
  }

  @Test("keys that are canonically equivalent and equally long are different")
  func canonicalEquivalenceOfTheSameLength() throws {
    let (below, above) = ("a\u{323}\u{307}", "a\u{307}\u{323}")
    #expect(below == above && below.utf8.count == above.utf8.count, "this is how String compares")
    let object = try #require(try parse("{\"\(below)\":1,\"\(above)\":2}").object)
    #expect(object[below] == 1)
    #expect(object[above] == 2)
  }

  @Test("each value has one type")
  func types() throws {
    let values = try #require(try parse(#"[null,true,1,"1",[1],{"a":1}]"#).array)
    #expect(values == [.null, true, 1, "1", [1], ["a": 1]])
    #expect(values.map(\.boolean) == [nil, true, nil, nil, nil, nil])
    #expect(values.map { $0.number?.literal } == [nil, nil, "1", nil, nil, nil])
    #expect(values.map(\.string) == [nil, nil, nil, "1", nil, nil])
    #expect(values.map(\.array) == [nil, nil, nil, nil, [1], nil])
    #expect(values.map(\.object) == [nil, nil, nil, nil, nil, ["a": 1]])
    for (index, value) in values.enumerated() {
      #expect(values.firstIndex(of: value) == index)
    }
  }

  @Test("an error has the reason and the offset, and nothing of the content")
  func description() {
    #expect(JSONError(.duplicateKey, at: 12).description == "duplicate-key at byte 12")
    let error = #expect(throws: JSONError.self) { try parse(#"{"secret":secret}"#) }
    #expect(error?.description == "unexpected-byte at byte 10")
  }

  @Test(
    "an error has the line and the column that an editor shows",
    arguments: [
      ("", 1, 1), ("x", 1, 1), ("{\n  x}", 2, 3), ("{\r\n\t\"é한🦊\" 1}", 2, 8), ("[1]\n\n]", 3, 1),
      ("[1,\n", 2, 1),
    ])
  func position(text: String, line: Int, column: Int) throws {
    let error = try #require(throws: JSONError.self) { try parse(text) }
    let position = error.position(in: Array(text.utf8))
    #expect(position.line == line && position.column == column)
    #expect(position.description == "line \(line), column \(column)")
    #expect(error.position(in: [UInt8]()).description == "line 1, column 1", "another text")
  }

  @Test("the reasons are kebab-case", arguments: JSONError.Reason.allCases)
  func reasons(reason: JSONError.Reason) {
    #expect(reason.rawValue.utf8.allSatisfy { $0 == 0x2D || (0x61...0x7A).contains($0) || $0 == 0x38 })
  }
}
