/// Why a payload is not valid.
///
/// The error contains nothing from the payload, so it may be logged.
public enum PayloadError: Error, Hashable, Sendable {
  /// The bytes are not a JSON object.
  case json(JSONError)
  /// A member breaks a rule. The key is a path such as `aps.alert.title`, always one that this module defines;
  /// `custom` stands for all custom members.
  case invalid(key: String, rule: PayloadRule)
}

extension PayloadError: CustomStringConvertible {
  /// The key and the rule, such as `aps.badge: must-be-integer`, or the description of the JSON error.
  ///
  /// If the rule's name does not say what is wrong, that follows in parentheses.
  public var description: String {
    switch self {
    case .json(let error): error.description
    case .invalid(let key, let rule):
      "\(key): \(rule.rawValue)" + (rule.explanation.map { " (\($0))" } ?? "")
    }
  }
}

/// A rule that a member of a payload breaks.
///
/// The raw values are stable.
public enum PayloadRule: String, Sendable, CaseIterable {
  /// The member is required.
  case missing
  /// The value must be an object.
  case mustBeObject = "must-be-object"
  /// The value must be a string, not null.
  case mustBeString = "must-be-string"
  /// The value must be a string or an object, not null.
  case mustBeStringOrObject = "must-be-string-or-object"
  /// The value must be a string or null.
  case mustBeStringOrNull = "must-be-string-or-null"
  /// The value must be an array of strings, not null.
  case mustBeArrayOfStrings = "must-be-array-of-strings"
  /// The value must be a number written as an integer that fits 64 bits: not `3.0`, `1e2`, `"3"` or `true`.
  case mustBeInteger = "must-be-integer"
  /// The number must not be negative.
  case mustNotBeNegative = "must-not-be-negative"
  /// The value must be a number that a double can hold, not a boolean.
  case mustBeNumber = "must-be-number"
  /// The number must be from 0 to 1, inclusive.
  case mustBeFrom0To1 = "must-be-from-0-to-1"
  /// The value must be the number 0 or the number 1.
  case mustBe0Or1 = "must-be-0-or-1"
  /// The value must be the number 1; to say no, leave the member out.
  case mustBe1 = "must-be-1"
  /// The time must be in seconds: a number of 10^11 or more, from the year 5138 on, is in milliseconds.
  case mustBeSeconds = "must-be-seconds"
  /// The time must be counted from 1970: a number from 631,152,000 to 1,167,609,599, of the years 1990 to 2006, is
  /// counted from 2001, as Foundation counts.
  case mustBeSince1970 = "must-be-since-1970"
  /// The string is not one that Apple defines for this key.
  case unknownValue = "unknown-value"
  /// The string has a U+0000, which would truncate it on the device.
  case containsNUL = "contains-nul"
  /// The key has a property of its own and cannot also be among the other members.
  case reservedKey = "reserved-key"
  /// The member is not allowed beside `content-available`, which requests a background update.
  case notBesideContentAvailable = "not-beside-content-available"
  /// The arguments need a localization key.
  case needsLocKey = "needs-loc-key"
  /// Arrays and objects are nested more than 32 levels deep, so readers would reject the payload.
  case tooDeep = "too-deep"
}

extension PayloadRule {
  /// What is wrong, if the rule's name does not say it.
  fileprivate var explanation: String? {
    switch self {
    case .mustBeSeconds: "it is in milliseconds, and APNs takes seconds since 1970"
    case .mustBeSince1970: "it is counted from 2001, and APNs takes seconds since 1970"
    default: nil
    }
  }
}
