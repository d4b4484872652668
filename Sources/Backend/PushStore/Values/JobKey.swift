internal import PushEnrolment

/// The application's own name for what a message is about, such as `order 7`, and what becomes of others with the same name.
///
/// By it, a message is cancelled or replaced without knowing its ID.
public struct JobKey: Hashable, Sendable {
  /// What becomes of messages with the same key.
  public enum Rule: Hashable, Sendable {
    /// They stand beside each other.
    case keep

    /// A new message takes the place of those before: the ones that wait are removed, and on the phone it is shown where the one
    /// before is.
    case replace

    /// A new message is dropped as long as one waits, and for a time after the last one was enqueued; 0 to 30 days.
    case skip(within: Duration)
  }

  /// The name, 1 to 255 bytes of UTF-8 without control characters.
  public let name: String

  /// The rule.
  public let rule: Rule

  /// The longest time within which a message is dropped: 30 days.
  public static let longestTime = Duration.seconds(30 * 86_400)

  /// Takes a name and a rule, without checking them: a ``Job`` does.
  public init(_ name: String, _ rule: Rule = .keep) { (self.name, self.rule) = (name, rule) }

  /// Throws unless both are as they must be.
  func check() throws(JobFault) {
    guard Registration.isName(name) else { throw .wrong(.key, JobColumn.nameRule) }
    if case .skip(let time) = rule, time < .zero || time > Self.longestTime {
      throw .wrong(.uniqueFor, JobColumn.uniqueForRule)
    }
  }

  /// The value of the column `on_key`; nil for messages that stand beside each other.
  var onKey: String? {
    switch rule {
    case .keep: nil
    case .replace: "replace"
    case .skip: "skip"
    }
  }

  /// The value of the column `unique_for`, in seconds; nil if there is none.
  var uniqueFor: Int64? {
    guard case .skip(let time) = rule, time > .zero else { return nil }
    return time.components.seconds
  }

  /// The rules that the column `on_key` names.
  package static let ruleNames: Set<String> = ["replace", "skip"]

  /// Takes what the columns say, the time in seconds; nil for a rule that is none.
  package init?(_ name: String, onKey: String?, uniqueFor: Int64?) {
    switch onKey {
    case nil: self.init(name)
    case "replace": self.init(name, .replace)
    case "skip": self.init(name, .skip(within: .seconds(uniqueFor ?? 0)))
    default: return nil
    }
  }
}
