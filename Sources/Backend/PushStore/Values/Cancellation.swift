public import PushCore

/// Which messages are not to be sent any more.
public struct Cancellation: Hashable, Sendable {
  /// Which messages.
  public enum Target: Hashable, Sendable {
    /// The message with this ID.
    case message(MessageID)

    /// Those with this key.
    case key(String)
  }

  /// Which messages.
  public let target: Target

  /// Whether phones that may have them remove them.
  public let takesBack: Bool

  /// Whose message it is, to take it back although its job is done; not needed with a key.
  public let person: String?

  /// The app of that message; nil for all apps.
  public let topic: Topic?

  /// Cancels messages that wait, or that a worker is sending; what was sent stays where it is.
  public init(_ target: Target) { self.init(target, takesBack: false) }

  /// Cancels messages, and has the phones that may have them remove them, by a sealed background push.
  ///
  /// `person` and `topic` are needed for a message, as its job may be done.
  public static func takingBack(
    _ target: Target, from person: String? = nil, topic: Topic? = nil
  ) -> Cancellation { Cancellation(target, takesBack: true, person: person, topic: topic) }

  private init(_ target: Target, takesBack: Bool, person: String? = nil, topic: Topic? = nil) {
    (self.target, self.takesBack, self.person, self.topic) = (target, takesBack, person, topic)
  }

  /// The value of the column `message_id`.
  package var messageID: MessageID? {
    guard case .message(let id) = target else { return nil }
    return id
  }

  /// The value of the column `job_key`.
  package var key: String? {
    guard case .key(let name) = target else { return nil }
    return name
  }
}
