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
