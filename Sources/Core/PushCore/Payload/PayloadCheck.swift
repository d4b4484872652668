/// The rules for values, the same for reading and for writing.
enum PayloadCheck {
  /// The deepest nesting that readers accept.
  static let maximumDepth = 32

  static func text(_ text: String, at key: @autoclosure () -> String) throws(PayloadError) -> String {
    guard !EscapeScan.hasNUL(in: text) else { throw .invalid(key: key(), rule: .containsNUL) }
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
    // The range also excludes NaN.
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

  /// Adds members to an object; a member with one of the object's reserved keys is an error.
  static func add(
    _ others: JSONObject, to object: inout some MemberSink, reserving reserved: [String], path: String
  ) throws(PayloadError) {
    for key in reserved where others[key] != nil {
      throw .invalid(key: "\(path).\(key)", rule: .reservedKey)
    }
    for (key, value) in others { object.append(value, forNewKey: key) }
  }

  /// Checks that the payload, as the outermost object, is not nested too deeply to be read again.
  static func depth(of payload: JSONObject) throws(PayloadError) {
    for (key, value) in payload where value.isNested(deeperThan: maximumDepth - 1) {
      let isAPS = ExactString(key) == ExactString(RemoteNotification.apsKey)
      throw .invalid(key: isAPS ? RemoteNotification.apsKey : "custom", rule: .tooDeep)
    }
  }
}

/// Reads known members of an object, and checks them.
///
/// An absent member gives nil. A member of the wrong type, also null, throws an error that names it.
struct MemberReader {
  private let object: JSONObject
  private let path: String

  init(of object: JSONObject, path: String) {
    self.object = object
    self.path = path
  }

  /// A member of any type.
  func value(at key: String) -> JSONValue? { object[key] }

  func text(at key: String) throws(PayloadError) -> String? {
    guard let value = value(at: key) else { return nil }
    guard let text = value.string else { throw .invalid(key: fullPath(of: key), rule: .mustBeString) }
    return try PayloadCheck.text(text, at: fullPath(of: key))
  }

  func object(at key: String) throws(PayloadError) -> JSONObject? {
    guard let value = value(at: key) else { return nil }
    guard let object = value.object else { throw .invalid(key: fullPath(of: key), rule: .mustBeObject) }
    return object
  }

  func count(at key: String) throws(PayloadError) -> Int? {
    guard let value = value(at: key) else { return nil }
    guard let integer = value.number?.integer, let count = Int(exactly: integer) else {
      throw .invalid(key: fullPath(of: key), rule: .mustBeInteger)
    }
    _ = try PayloadCheck.count(count, at: fullPath(of: key))
    return count
  }

  /// A time in Unix seconds.
  func time(at key: String) throws(PayloadError) -> UnixTime? {
    guard let seconds = try count(at: key) else { return nil }
    guard let time = UnixTime(seconds: Int64(seconds)) else {
      throw .invalid(key: fullPath(of: key), rule: .mustBeInteger)
    }
    return time
  }

  func fraction(at key: String) throws(PayloadError) -> Double? {
    guard let fraction = try number(at: key) else { return nil }
    _ = try PayloadCheck.fraction(fraction, at: fullPath(of: key))
    return fraction
  }

  func amount(at key: String) throws(PayloadError) -> Double? {
    guard let amount = try number(at: key) else { return nil }
    _ = try PayloadCheck.amount(amount, at: fullPath(of: key))
    return amount
  }

  private func number(at key: String) throws(PayloadError) -> Double? {
    guard let value = value(at: key) else { return nil }
    guard let number = value.number?.double else {
      throw .invalid(key: fullPath(of: key), rule: .mustBeNumber)
    }
    return number
  }

  private func fullPath(of key: String) -> String {
    "\(path).\(key)"
  }
}
