import PushCore
import Testing

@Suite("Warnings about members that userInfo cannot hold")
struct UserInfoWarningTests {

  private func warnings(_ custom: String) throws -> [String] {
    try notification(#"{"aps":{},\#(custom)}"#).warnings.map { "\($0.key) \($0.code.rawValue)" }
  }

  @Test(
    "name the member's path",
    arguments: [
      (#""a":null"#, ["a null-dropped"]), (#""acme":{"list":[1,2,null]}"#, ["acme.list[2] null-dropped"]),
      (#""a":[[null],{"b":null}]"#, ["a[0][0] null-dropped", "a[1].b null-dropped"]),
      (#""a":18446744073709551615"#, ["a number-as-text"]),
      (#""a":9223372036854775808"#, ["a number-as-text"]),
      (#""a":-9223372036854775809"#, ["a number-as-text"]), (#""a":[-0]"#, ["a[0] number-as-text"]),
      (#""a":1e400"#, ["a number-as-text"]), (#""a":1e-400"#, ["a number-as-text"]),
      (#""a":1e99999999999999999999"#, ["a number-as-text"]),
      (#""a":9007199254740993.0"#, ["a number-rounded"]),
      (#""a":-1.23456789012345678"#, ["a number-rounded"]),
      (#""a":123456789012345678901e0"#, ["a number-rounded"]),
      (#""a":{"\u00e9":1,"e\u0301":2}"#, ["a.e\u{301} equivalent-key"]),
      (#""\u00e9":1,"e\u0301":null"#, ["e\u{301} equivalent-key", "e\u{301} null-dropped"]),
    ])
  func found(custom: String, expected: [String]) throws {
    #expect(try warnings(custom) == expected)
    try notification(#"{"aps":{},\#(custom)}"#).checkForSending()
  }

  @Test(
    "are not given for members that it can hold",
    arguments: [
      "0", "-1", "9223372036854775807", "-9223372036854775808", "9007199254740993", "0.1", "1.10", "-0.0",
      "0e9",
      "0.000e99999999999999999999", "1e2", "100.00", "1e23", "123456789012345680000e0", "5e-324", "0.5e-323",
      "1.7976931348623157e308", "true", #""""#, #""null""#, "[]", "{}", #"{"a":[{"b":false}]}"#,
    ])
  func held(value: String) throws {
    #expect(try warnings(#""a":\#(value)"#) == [])
  }

  @Test("do not cover aps")
  func aps() throws {
    #expect(
      try notification(#"{"aps":{"alert":{"body":"b","action-loc-key":null},"chat":null}}"#).warnings
        .map(\.code) == [.deprecatedKey, .unknownAPSKey])
  }

  @Test("are at most 16")
  func count() throws {
    for nulls in [16, 17, 5000] {
      let list = Array(repeating: "null", count: nulls).joined(separator: ",")
      #expect(try warnings(#""a":[\#(list)]"#).count == 16)
      let members = (0..<nulls).map { #""\#($0)":null"# }.joined(separator: ",")
      #expect(try warnings(members).count == 16)
    }
  }

  @Test("have paths of at most 100 scalars")
  func path() throws {
    func key(_ count: Int) -> String { String(repeating: "k", count: count) }
    #expect(try warnings(#""\#(key(100))":null"#) == ["\(key(100)) null-dropped"])
    #expect(try warnings(#""\#(key(101))":null"#) == ["\(key(100))… null-dropped"])
    #expect(try warnings(#""\#(key(60))":{"\#(key(60))":null}"#) == ["\(key(60)).\(key(39))… null-dropped"])
    #expect(try warnings(#""\#(key(98))":[null]"#) == ["\(key(98))[0… null-dropped"])
  }

  @Test("are not given below the depth that readers accept")
  func depth() {
    var value = JSONValue.null
    for _ in 0..<40 { value = [value] }
    #expect(RemoteNotification(custom: ["a": value]).warnings == [])
  }
}
