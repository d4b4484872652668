import PushCore
import PushReceiver
import PushSealer

extension Harness {
  /// Strict JSON, and payloads made of it: a value that is read and written reads back the same.
  static let json = Harness(name: "json") { bytes in
    let value: JSONValue
    do throws(JSONError) {
      value = try JSONValue(parsing: bytes.span)
    } catch {
      try require((0...bytes.count).contains(error.offset), "the fault is in the text")
      try require(
        (try? JSONObject(parsing: bytes.span)) == nil, "a text that is not a value is not an object")
      return
    }
    let text = value.encoded()
    try require(try JSONValue(parsing: text.span) == value, "a written value reads back the same")
    try require(try JSONValue(parsing: bytes.span, maximumDepth: 128) == value, "a limit changes no value")
    try require(try JSONValue(parsing: text.span).encoded() == text, "the canonical text stays as it is")
    try require(
      (try? JSONObject(parsing: bytes.span)) == value.object,
      "an object is a value, and no other value is one")
    try check(value)
    try value.object.map(check(payload:))
  }

  /// Numbers, and the property lists that an app gets in place of JSON.
  private static func check(_ value: JSONValue) throws {
    switch value {
    case .number(let number):
      try require(JSONNumber(literal: number.literal) == number, "a number is its text")
      if let integer = number.integer {
        try require(JSONNumber(integer) == number, "an integer has one text")
      }
      if let double = number.double {
        try require(JSONNumber(double)?.double == double, "a double reads back")
      }
    case .array(let values): for value in values { try check(value) }
    case .object(let object):
      for (key, value) in object {
        try require(object[key] == value, "a member is found under its key")
        try check(value)
      }
    case .null, .boolean, .string: break
    }
    if let list = PropertyList(value) {
      let text = list.json.encoded()
      try require((try? JSONValue(parsing: text.span, maximumDepth: 128)) != nil, "a property list is JSON")
    }
  }

  private static func check(payload: JSONObject) throws {
    try require(!Lint(payload, size: 4097).findings.isEmpty, "a payload that APNs refuses is reported")
    guard let notification = try? RemoteNotification(payload: payload) else { return }
    _ = notification.warnings
    _ = try? notification.checkForSending()
    let written = try notification.payload()
    try require(
      try RemoteNotification(payload: written) == notification, "a notification reads back from its payload")
    let bytes = written.encoded()
    try require(
      try RemoteNotification(parsing: bytes.span) == notification, "a notification reads back from its text")
  }
}
