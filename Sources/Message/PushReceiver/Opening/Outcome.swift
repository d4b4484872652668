public import PushCore
public import PushEnrolment
internal import PushKeys

/// The result of a push, and what to show for it: there is always something.
public struct Reception: Equatable, Sendable {
  /// What to show.
  public let content: ShownContent

  /// Whether the push was opened.
  public let outcome: Outcome

  init(content: ShownContent, outcome: Outcome) {
    self.content = content
    self.outcome = outcome
  }

  /// The placeholder for a push that does not open.
  ///
  /// The defaults are for an extension that has no receiver.
  package init(
    degrading push: IncomingPush, because reason: DegradeReason, to bestAttempt: BestAttempt = .outerTitle,
    envelopeKey: EnvelopeKey = .default, strings: any LocalizedStrings = NoStrings()
  ) {
    content = bestAttempt.content(
      for: push, isLate: reason == .deadline, envelopeKey: envelopeKey, strings: strings)
    outcome = .degraded(reason)
  }
}

/// Whether a push was opened; it contains nothing of the content.
public enum Outcome: Hashable, Sendable {
  /// It was opened.
  case opened(Opened)
  /// Another system's envelope was opened: the name of its format.
  ///
  /// Nobody has signed it, and nothing else is known about it.
  case openedOther(format: String)
  /// It was not opened, and a placeholder is shown.
  case degraded(DegradeReason)
}

/// Who sent an opened message, and when, without its content.
public struct Opened: Hashable, Sendable {
  /// What the message is for.
  public let type: ContentType

  /// How it was encrypted.
  public let suite: Suite

  /// The sender's key, whose signature is valid; nil for an anonymous message.
  public let sender: Thumbprint?

  /// The device's key, or the shared key, that opened it.
  public let recipient: Thumbprint

  /// The message's ID, issue time and lifetime.
  public let claims: Claims

  /// Whether it was opened before.
  public internal(set) var repetition: Repetition

  /// What it does to messages that were shown before; an anonymous message does nothing to others.
  public internal(set) var changes = MessageChanges.none

  /// Whether the same message was opened before, or the app has marked it as seen.
  public var isDuplicate: Bool { repetition == .duplicate || repetition == .seen }
}

/// The replay store's answer about a message.
public enum Repetition: Hashable, Sendable {
  /// The message is new.
  case first
  /// The same message was opened before.
  case duplicate
  /// The app has shown the message by itself, and marked it: `markSeen(_:at:)` of its replay store.
  case seen
  /// The store was not asked, could not answer, or has forgotten messages that are as old as this one.
  case notChecked
}

/// An opened message with its content.
public struct OpenedMessage: Equatable, Sendable {
  /// Who sent it, and when.
  public internal(set) var opened: Opened

  /// Its content as a notification.
  public let notification: RemoteNotification

  /// Its content as JSON, including the format's own members.
  public let payload: JSONObject

  /// The bytes of its content, exactly as they were sealed.
  public let json: [UInt8]
}

/// An opened request to prove that the device has a key and a token.
public struct OpenedProofRequest: Equatable, Sendable {
  /// Who sent it, and when.
  ///
  /// Its `recipient` is the key to prove.
  public internal(set) var opened: Opened

  /// Its content: pass it to `EnrolmentStore.answer(_:openedBy:at:for:)` unless the request is a duplicate.
  public let request: ProofRequest
}

/// Keeps a text out of logs.
extension OpenedMessage: CustomStringConvertible, CustomReflectable {
  /// The message's ID, and the size of its content.
  public var description: String { "opened message \(opened.claims.messageID), \(json.count) bytes" }

  /// Shows nothing.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
