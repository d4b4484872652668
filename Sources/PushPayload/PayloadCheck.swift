/// The rules that hold for a value alike when it is read and when it is written.
enum PayloadCheck {
  /// The deepest nesting that a payload's readers take.
  static let maximumDepth = 32

  static func text(_ text: String, at key: @autoclosure () -> String) throws(PayloadError) -> String {
    guard !EscapeScan.hasNUL(text) else { throw .invalid(key: key(), rule: .containsNUL) }
    return text
  }

  static func string(_ value: JSONValue, at key: String) throws(PayloadError) {
    guard let string = value.string else { throw .invalid(key: key, rule: .mustBeString) }
    _ = try text(string, at: key)
  }

  static func count(_ count: Int, at key: String) throws(PayloadError) -> JSONNumber {
    guard count >= 0 else { throw .invalid(key: key, rule: .mustNotBeNegative) }
    return JSONNumber(count)
  }

  static func fraction(_ fraction: Double, at key: String) throws(PayloadError) -> JSONNumber {
    // NaN is in no range.
    guard (0...1).contains(fraction), let number = JSONNumber(fraction) else {
      throw .invalid(key: key, rule: .mustBeFrom0To1)
    }
    return number
  }

  static func amount(_ amount: Double, at key: String) throws(PayloadError) -> JSONNumber {
    guard amount >= 0, let number = JSONNumber(amount) else {
      throw .invalid(key: key, rule: .mustNotBeNegative)
    }
    return number
  }

  /// Adds the other members to an object, which may have none of the reserved keys.
  static func add(
    _ others: JSONObject, to object: inout JSONObject, reserving reserved: [String], path: String
  ) throws(PayloadError) {
    for key in reserved where others[key] != nil {
      throw .invalid(key: "\(path).\(key)", rule: .reservedKey)
    }
    for (key, value) in others {
      object[key] = value
    }
  }

  /// Checks that the payload, the outermost object, can be read again.
  static func depth(of payload: JSONObject) throws(PayloadError) {
    for (key, value) in payload where value.isNested(deeperThan: maximumDepth - 1) {
      let isAPS = ExactString(key) == ExactString(RemoteNotification.apsKey)
      throw .invalid(key: isAPS ? RemoteNotification.apsKey : "custom", rule: .tooDeep)
    }
  }
}
