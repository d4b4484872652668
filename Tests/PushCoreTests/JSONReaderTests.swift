import PushCore
import Testing

@Suite("A caller can step through JSON itself")
struct JSONReaderTests {
  @Test("members and elements are read in order")
  func stepping() throws {
    let bytes = Array(#" {"keys":[{"kid":"A\u0042","d":"c2VjcmV0"},{"kid":"C","x":[1,{}]}],"v":1} "#.utf8)
    var reader = JSONReader(bytes.span)
    var seen: [String] = []
    try reader.beginObject()
    while let key = try reader.nextKey() {
      guard key == "keys" else {
        seen.append("\(key)=\(print(try reader.readValue()))")
        continue
      }
      try reader.beginArray()
      while try reader.nextElement() {
        try reader.beginObject()
        while let key = try reader.nextKey() {
          switch key {
          case "kid": seen.append(try reader.readString())
          case "d": seen.append(String(decoding: bytes[try reader.readSimpleStringRange()], as: UTF8.self))
          default: seen.append(print(try reader.readValue()))
          }
        }
      }
    }
    try reader.finish()
    #expect(seen == ["AB", "c2VjcmV0", "C", "[1,{}]", "v=1"])
    #expect(reader.offset == bytes.count)
  }

  @Test("the next type is told without being consumed")
  func kinds() throws {
    let bytes = Array(#"[null, true ,-1,"",[],{}]"#.utf8)
    var reader = JSONReader(bytes.span)
    var kinds = [try reader.nextKind()]
    try reader.beginArray()
    while try reader.nextElement() {
      kinds.append(try reader.nextKind())
      _ = try reader.readValue()
    }
    try reader.finish()
    #expect(kinds == [.array, .null, .boolean, .number, .string, .array, .object])
  }

  @Test("the reader itself finds duplicate keys and the depth")
  func checks() throws {
    let duplicate = Array(#"{"a":{"b":1},"b":2,"\u0061":3}"#.utf8)
    #expect(throws: JSONError(.duplicateKey, at: 19)) {
      var reader = JSONReader(duplicate.span)
      try reader.beginObject()
      while try reader.nextKey() != nil {
        _ = try reader.readValue()
      }
    }
    let deep = Array("[[[".utf8)
    #expect(throws: JSONError(.tooDeep, at: 2)) {
      var reader = JSONReader(deep.span, maximumDepth: 2)
      try reader.beginArray()
      #expect(try reader.nextElement())
      try reader.beginArray()
      #expect(try reader.nextElement())
      try reader.beginArray()
    }
  }

  @Test(
    "a simple string has no escape and is checked like any other",
    arguments: [
      (#""a\u0062""#, .unexpectedByte, 2), (#""a\"b""#, .unexpectedByte, 2),
      ("\"a\n\"", .controlCharacter, 2),
      ("\"abc", .unexpectedEnd, 4), ("1", .notAString, 0), ("}", .unexpectedByte, 0), ("", .unexpectedEnd, 0),
    ] as [(String, JSONError.Reason, Int)])
  func simpleStrings(text: String, reason: JSONError.Reason, offset: Int) {
    let bytes = Array(text.utf8)
    #expect(throws: JSONError(reason, at: offset)) {
      var reader = JSONReader(bytes.span)
      _ = try reader.readSimpleStringRange()
    }
  }

  @Test("an empty simple string is an empty range")
  func emptySimpleString() throws {
    let bytes = Array(#" """#.utf8)
    var reader = JSONReader(bytes.span)
    #expect(try reader.readSimpleStringRange() == 2..<2)
    try reader.finish()
  }

  private static let values = [
    "null", "true", "-1.5e3", #""""#, #""a\/\u00e9\ud83d\ude00\n é""#, "[]", #"[1,["a"],{}]"#,
    #"{"a":{"b":[null,"\u0062"]},"c":false}"#,
  ]

  @Test("skipping a value stops at its end", arguments: values)
  func skipping(value: String) throws {
    let bytes = Array("[\(value),7]".utf8)
    var reader = JSONReader(bytes.span)
    try reader.beginArray()
    #expect(try reader.nextElement())
    try reader.skipValue()
    #expect(try reader.nextElement())
    #expect(try reader.readValue() == 7)
    #expect(try !reader.nextElement())
    try reader.finish()
  }

  @Test(
    "a skipped value is checked like one that is read",
    arguments: [
      #""a"#, #""\x""#, #""\ud800""#, "\"\n\"", "tru", "01", "[1,]", #"{"a":1,"\u0061":2}"#, #"{"a"}"#, "",
      String(repeating: "[", count: 33) + String(repeating: "]", count: 33), "}",
    ])
  func skippingFaults(text: String) {
    let bytes = Array(text.utf8)
    #expect(Self.error(bytes) { (json) throws(JSONError) in try json.skipValue() } != nil)
    let read = Self.error(bytes) { (json) throws(JSONError) in _ = try json.readValue() }
    #expect(Self.error(bytes) { (json) throws(JSONError) in try json.skipValue() } == read)
  }

  @Test(
    "a string's bytes are handed over as they are read",
    arguments: [
      (#""""#, ""), (#""abc""#, "abc"), (#""a\/b\\\"\t""#, "a/b\\\"\t"),
      (#""\u002B=\u00e9é\ud83d\ude00""#, "+=éé\u{1F600}"),
    ]) func bytesOfString(text: String, expected: String) throws
  {
    let bytes = Array(text.utf8)
    var reader = JSONReader(bytes.span)
    var seen: [UInt8] = []
    try reader.readString { seen.append($0) }
    try reader.finish()
    #expect(seen == Array(expected.utf8))
  }

  private static func error(
    _ bytes: [UInt8], _ read: (inout JSONReader) throws(JSONError) -> Void
  ) -> JSONError? {
    var reader = JSONReader(bytes.span)
    do throws(JSONError) {
      try read(&reader)
      try reader.finish()
      return nil
    } catch {
      return error
    }
  }

  @Test("a value of an unexpected type is refused")
  func otherTypes() {
    let number = Array("1".utf8)
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF, 0x7B, 0x7D]
    #expect(throws: JSONError(.notAnObject, at: 0)) {
      var reader = JSONReader(number.span)
      try reader.beginObject()
    }
    #expect(throws: JSONError(.notAnArray, at: 0)) {
      var reader = JSONReader(number.span)
      try reader.beginArray()
    }
    #expect(throws: JSONError(.byteOrderMark, at: 0)) {
      var reader = JSONReader(mark.span)
      try reader.beginObject()
    }
  }

  @Test("a wrong step is an error, not a trap")
  func wrongSteps() {
    let bytes = Array(#"{"a":[1]}"#.utf8)
    #expect(throws: JSONError(.notAnObject, at: 0)) {
      var reader = JSONReader(bytes.span)
      _ = try reader.nextKey()
    }
    #expect(throws: JSONError(.notAnArray, at: 1)) {
      var reader = JSONReader(bytes.span)
      try reader.beginObject()
      _ = try reader.nextElement()
    }
    #expect(throws: JSONError(.unexpectedByte, at: 5), "the value was not read") {
      var reader = JSONReader(bytes.span)
      try reader.beginObject()
      _ = try reader.nextKey()
      _ = try reader.nextKey()
    }
    let open = Array("[".utf8)
    #expect(throws: JSONError(.trailingBytes, at: 1), "the array was not closed") {
      var reader = JSONReader(open.span)
      try reader.beginArray()
      try reader.finish()
    }
  }
}
