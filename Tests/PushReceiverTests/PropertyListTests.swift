import PushCore
import PushReceiver
import Testing

/// The written rule by which JSON becomes `userInfo`.
struct PropertyListTests {
  private func map(_ json: String) throws -> PropertyList? {
    let bytes = Array(json.utf8)
    return PropertyList(try JSONValue(parsing: bytes.span))
  }

  @Test(
    "numbers",
    arguments: [
      ("0", .integer(0)), ("1", .integer(1)), ("-1", .integer(-1)),
      ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
      ("9223372036854775808", .string("9223372036854775808")),
      ("-9223372036854775809", .string("-9223372036854775809")),
      ("123456789012345678901234567890", .string("123456789012345678901234567890")),
      ("1.0", .double(1)), ("1e2", .double(100)), ("1E2", .double(100)), ("-0.5", .double(-0.5)),
      ("0e5", .double(0)), ("1e400", .string("1e400")), ("-1.5E999", .string("-1.5E999")),
      ("1e-400", .string("1e-400")), ("-0", .string("-0")),
    ] as [(String, PropertyList)])
  func numbers(json: String, value: PropertyList) throws {
    #expect(try map(json) == value)
    #expect(try map("[\(json)]") == .array([value]))
  }

  @Test("a boolean is no number")
  func booleans() throws {
    #expect(
      try map("[true,1,false,0]") == .array([.boolean(true), .integer(1), .boolean(false), .integer(0)]))
  }

  @Test("null is dropped, from arrays and objects too")
  func nulls() throws {
    #expect(try map("null") == nil)
    #expect(try map("[null,1,null,[null]]") == .array([.integer(1), .array([])]))
    #expect(
      try map(#"{"a":null,"b":{"c":null},"d":""}"#) == .dictionary(["b": .dictionary([:]), "d": .string("")]))
  }

  @Test("strings are kept", arguments: [#""""#, #""null""#, #""1""#, #""\u0000""#, #""é""#])
  func strings(json: String) throws {
    let bytes = Array(json.utf8)
    let text = try #require(try JSONValue(parsing: bytes.span).string)
    #expect(try map(json) == .string(text))
  }

  @Test("what was mapped prints as JSON, sorted by name")
  func json() throws {
    let list = try #require(try map(#"{"b":[1,1.0,true,"x",null],"a":{"d":2,"c":1e400}}"#))
    let text = String(decoding: list.json.encoded(), as: UTF8.self)
    #expect(text == #"{"a":{"c":"1e400","d":2},"b":[1,1.0,true,"x"]}"#)
  }

  @Test("the rule holds for what the app gets")
  func userInfo() throws {
    let parties = Parties()
    let json = #"{"aps":{"alert":"b"},"n":null,"a":[null,1],"big":9223372036854775808,"f":1.0,"t":true}"#
    let content = parties.receiver().reception(of: try parties.push(Draft(json: json))).content
    #expect(
      content.userInfo == [
        "aps": .dictionary(["alert": .string("b")]), "a": .array([.integer(1)]),
        "big": .string("9223372036854775808"), "f": .double(1), "t": .boolean(true),
      ])
  }

  @Test(
    "the sender is warned of what changes, and of nothing else",
    arguments: [
      "null", "[1,null]", "18446744073709551615", "-0", "1e400", "1e-400", "9007199254740993.0",
      "123456789012345678901e0", #"{"\u00e9":1,"e\u0301":2}"#, "0", "-1.5", "1e2", "9223372036854775807",
      "0.1",
      "-0.0", "true", #""1e400""#, #"{"a":[],"b":[{}]}"#,
    ])
  func warnings(json: String) throws {
    let bytes = Array(json.utf8)
    let value = try JSONValue(parsing: bytes.span)
    let isWarned = !RemoteNotification(custom: ["a": value]).warnings.isEmpty
    #expect(isWarned == (PropertyList(value).map { Self.holds($0, value) } != true))
  }

  /// Whether a property list is the JSON that it was made from.
  private static func holds(_ list: PropertyList, _ value: JSONValue) -> Bool {
    switch (list, value) {
    case (.string(let left), .string(let right)): left == right
    case (.boolean(let left), .boolean(let right)): left == right
    case (.integer(let left), .number(let right)): left == right.integer
    case (.double(let left), .number(let right)): isExact(left, right)
    case (.array(let left), .array(let right)):
      left.count == right.count && zip(left, right).allSatisfy { holds($0, $1) }
    case (.dictionary(let left), .object(let right)):
      left.count == right.count
        && right.allSatisfy { key, value in left[key].map { holds($0, value) } == true }
    default: false
    }
  }

  /// Whether both are written alike, or at least as the same amount of a few digits.
  private static func isExact(_ double: Double, _ number: JSONNumber) -> Bool {
    let text = String(describing: double)
    return text == number.literal || (text.count < 8 && number.double == double)
  }
}
