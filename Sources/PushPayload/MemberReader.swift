/// Takes the members that are modelled out of an object, checked, and keeps the rest.
///
/// A member that is absent is nil; one of another type, null included, is an error that names it.
struct MemberReader {
  private(set) var rest: JSONObject
  private let path: String

  init(_ object: JSONObject, path: String) {
    rest = object
    self.path = path
  }

  /// Takes a member of any type.
  mutating func value(_ key: String) -> JSONValue? {
    rest.removeValue(forKey: key)
  }

  mutating func drop(_ key: String) {
    rest.removeValue(forKey: key)
  }

  mutating func text(_ key: String) throws(PayloadError) -> String? {
    guard let value = value(key) else { return nil }
    guard let text = value.string else { throw .invalid(key: full(key), rule: .mustBeString) }
    return try PayloadCheck.text(text, at: full(key))
  }

  mutating func object(_ key: String) throws(PayloadError) -> JSONObject? {
    guard let value = value(key) else { return nil }
    guard let object = value.object else { throw .invalid(key: full(key), rule: .mustBeObject) }
    return object
  }

  mutating func count(_ key: String) throws(PayloadError) -> Int? {
    guard let value = value(key) else { return nil }
    guard let integer = value.number?.integer, let count = Int(exactly: integer) else {
      throw .invalid(key: full(key), rule: .mustBeInteger)
    }
    _ = try PayloadCheck.count(count, at: full(key))
    return count
  }

  mutating func fraction(_ key: String) throws(PayloadError) -> Double? {
    guard let fraction = try number(key) else { return nil }
    _ = try PayloadCheck.fraction(fraction, at: full(key))
    return fraction
  }

  mutating func amount(_ key: String) throws(PayloadError) -> Double? {
    guard let amount = try number(key) else { return nil }
    _ = try PayloadCheck.amount(amount, at: full(key))
    return amount
  }

  private mutating func number(_ key: String) throws(PayloadError) -> Double? {
    guard let value = value(key) else { return nil }
    guard let number = value.number?.double else { throw .invalid(key: full(key), rule: .mustBeNumber) }
    return number
  }

  private func full(_ key: String) -> String {
    "\(path).\(key)"
  }
}
