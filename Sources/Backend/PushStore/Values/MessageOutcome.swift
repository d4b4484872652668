public import PushCore

/// What became of a message on a device of its person.
public struct MessageOutcome: Hashable, Sendable {
  /// The registration's name; nil if it is not known, or if no device is.
  public let registration: String?

  /// The device's identity; nil if this is about all devices, such as those that the person does not have.
  public let identity: Thumbprint?

  /// What became of it.
  public let kind: Kind

  /// Why the device did not get it, for support: it names no token, text or key; nil if APNs has accepted it.
  public let reason: String?

  /// What may become of a message.
  public enum Kind: String, Sendable, CaseIterable {
    /// APNs has accepted it for the device.
    case accepted
    /// APNs has refused it, or it could not be sealed.
    case refused
    /// It could not be sent to the device, or to any.
    case unreachable
  }

  /// APNs has accepted the message for a device.
  public static func accepted(by identity: Thumbprint, registration: String? = nil) -> MessageOutcome {
    MessageOutcome(registration: registration, identity: identity, kind: .accepted, reason: nil)
  }

  /// A device did not get the message, as `kind` says; at most 500 bytes of the reason are kept.
  public static func missed(_ device: MissingDevice, kind: Kind = .unreachable) -> MessageOutcome {
    MessageOutcome(
      registration: device.registration.isEmpty ? nil : device.registration, identity: device.identity,
      kind: kind, reason: device.reason)
  }

  /// No other device got the message; at most 500 bytes of the reason are kept.
  public static func reachedNobody(reason: String) -> MessageOutcome {
    MessageOutcome(registration: nil, identity: nil, kind: .unreachable, reason: Reason.shortened(reason))
  }

  package init(registration: String?, identity: Thumbprint?, kind: Kind, reason: String?) {
    self.registration = registration
    self.identity = identity
    self.kind = kind
    self.reason = reason
  }
}

/// A message, and whose devices it is for, of a job that asks for its outcomes.
package struct OutcomeRequest: Hashable, Sendable {
  package let messageID: MessageID
  package let person: String

  package init(messageID: MessageID, person: String) { (self.messageID, self.person) = (messageID, person) }
}

/// What became of a leased job's message, to be recorded before the lease ends.
public struct JobOutcomes: Sendable {
  /// The lease.
  public let lease: Lease

  /// The message.
  public let messageID: MessageID

  /// Whose devices it is for.
  public let person: String

  /// What became of it, at most once for each device.
  public let outcomes: [MessageOutcome]

  /// What became of a job's message; nil if the job does not ask for that, or if there is nothing to say.
  public init?(of job: LeasedJob, _ outcomes: [MessageOutcome]) {
    guard let request = job.outcomeRequest, !outcomes.isEmpty else { return nil }
    lease = job.lease
    (messageID, person) = (request.messageID, request.person)
    self.outcomes = outcomes
  }

  /// The ID that the message has on the device of an outcome; nil for one of no device.
  package func deviceMessageID(of outcome: MessageOutcome) -> MessageID? {
    outcome.identity.map(messageID.derived)
  }
}

/// What a store knows about a message and a device.
public struct RecordedOutcome: Hashable, Sendable {
  /// Whose device it is.
  public let person: String

  /// What became of the message.
  public let outcome: MessageOutcome

  /// When that was recorded, by the engine's clock.
  public let decidedAt: UnixTime

  /// When a receipt came by which the device has shown the message, by the engine's clock; nil if none came, which proves nothing.
  public let shownAt: UnixTime?

  package init(person: String, outcome: MessageOutcome, decidedAt: UnixTime, shownAt: UnixTime? = nil) {
    (self.person, self.outcome, self.decidedAt, self.shownAt) = (person, outcome, decidedAt, shownAt)
  }
}

/// Keeps names out of logs.
extension MessageOutcome: CustomStringConvertible, CustomReflectable {
  /// The identity's thumbprint, what became of the message, and why.
  public var description: String {
    "device \(identity?.text ?? "-"): \(kind.rawValue)\(reason.map { ", \($0)" } ?? "")"
  }

  /// Shows nothing.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Keeps persons and names out of logs.
extension JobOutcomes: CustomStringConvertible, CustomReflectable {
  /// The message's ID, and the outcomes.
  public var description: String { "message \(messageID): \(outcomes)" }

  /// Shows nothing.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Keeps persons and names out of logs.
extension RecordedOutcome: CustomStringConvertible, CustomReflectable {
  /// The outcome.
  public var description: String { outcome.description }

  /// Shows nothing.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
