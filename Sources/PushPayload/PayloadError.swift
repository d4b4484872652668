/// Why something is not a notification's payload.
///
/// It says nothing of the content, so it may be logged.
public enum PayloadError: Error, Equatable, Sendable {
  /// The bytes are not a JSON object.
  case json(JSONError)
  /// A member breaks a rule. The key is a path such as `aps.alert.title`, and always one that is named in
  /// this module; custom members together are `custom`.
  case invalid(key: String, rule: PayloadRule)
}

extension PayloadError: CustomStringConvertible {
  /// The key and the rule, such as `aps.badge: must-be-integer`, or the JSON error's own description.
  public var description: String {
    switch self {
    case .json(let error): error.description
    case .invalid(let key, let rule): "\(key): \(rule.rawValue)"
    }
  }
}

/// The rule that a member of a payload breaks.
///
/// The raw values are stable.
public enum PayloadRule: String, Sendable, CaseIterable {
  /// The member must be there.
  case missing
  /// The value must be an object.
  case mustBeObject = "must-be-object"
  /// The value must be a string; null is none.
  case mustBeString = "must-be-string"
  /// The value must be a string or an object; null is neither.
  case mustBeStringOrObject = "must-be-string-or-object"
  /// The value must be a string or null.
  case mustBeStringOrNull = "must-be-string-or-null"
  /// The value must be an array of strings; null is none.
  case mustBeArrayOfStrings = "must-be-array-of-strings"
  /// The value must be a number written as an integer that fits 64 bits: not `3.0`, `1e2`, `"3"` or `true`.
  case mustBeInteger = "must-be-integer"
  /// The integer must not be below zero.
  case mustNotBeNegative = "must-not-be-negative"
  /// The value must be a number that a double can hold; a boolean is none.
  case mustBeNumber = "must-be-number"
  /// The number must be from 0 to 1, both included.
  case mustBeFrom0To1 = "must-be-from-0-to-1"
  /// The value must be the number 0 or the number 1.
  case mustBe0Or1 = "must-be-0-or-1"
  /// The value must be the number 1; leaving the member out says no.
  case mustBe1 = "must-be-1"
  /// The string is none of those that Apple defines for this key.
  case unknownValue = "unknown-value"
  /// The string has a U+0000, which would cut it short on the device.
  case containsNUL = "contains-nul"
  /// The key belongs to a property of its own and cannot also stand among the other members.
  case reservedKey = "reserved-key"
  /// The member cannot stand beside `content-available`, which asks for a background update.
  case notBesideContentAvailable = "not-beside-content-available"
  /// The arguments need the localization key whose text they are put into.
  case needsLocKey = "needs-loc-key"
  /// Arrays and objects are nested deeper than 32, so that no reader would take the payload.
  case tooDeep = "too-deep"
}
