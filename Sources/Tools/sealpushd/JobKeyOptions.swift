internal import PushCommands
internal import PushStore

extension Option<String> {
  static var jobKey: Self { Self("--job-key", "KEY") }
}

/// What becomes of other messages with the same key, by its name.
enum KeyRule: String, Sendable, CaseIterable {
  case keep, replace, skip
}

extension Option<KeyRule> {
  static var onKey: Self { Self("--on-key", "RULE", rule: "keep, replace or skip", isShown: true) }
}

extension Option<Duration> {
  static var uniqueFor: Self {
    .duration("--unique-for", in: .zero...JobKey.longestTime, rule: "a time of at most 30 days, such as 12h")
  }
}

extension JobKey {
  /// The key of `--job-key` and what belongs to it; nil without one.
  init?(from arguments: Arguments) throws(ToolError) {
    let (rule, time) = (try arguments[.onKey], try arguments[.uniqueFor])
    guard let name = arguments[.jobKey] else {
      if rule != nil || time != nil {
        throw .usage("\(Option.onKey) and \(Option.uniqueFor) belong to \(Option.jobKey)")
      }
      return nil
    }
    guard rule == .skip || time == nil else {
      throw .usage("\(Option.uniqueFor) belongs to \(Option.onKey) skip")
    }
    switch rule ?? .keep {
    case .keep: self.init(name)
    case .replace: self.init(name, .replace)
    case .skip: self.init(name, .skip(within: time ?? .zero))
    }
  }
}
