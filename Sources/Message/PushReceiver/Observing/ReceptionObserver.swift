public import PushCore
public import PushKeys

/// Hears the result of each push, for a log or a counter.
///
/// It learns nothing about the content. It is called once for each push that ``Receiver/receive(_:deadline:)`` takes,
/// on a thread that it may block. The call comes before the notification is shown, and the time it takes counts against
/// the deadline. Only if the system says that time is up does it come afterwards.
public protocol ReceptionObserver: Sendable {
  /// Hears the result of a push.
  func observe(_ report: ReceptionReport)

  /// Hears that a step failed for the push of a report, and changed nothing.
  func observe(_ failure: StepFailure, of step: String, for report: ReceptionReport)
}

extension ReceptionObserver {
  /// Ignores failed steps.
  public func observe(_ failure: StepFailure, of step: String, for report: ReceptionReport) {}
}

/// The result of a push for observers; it contains nothing of the content.
public struct ReceptionReport: Equatable, Sendable {
  /// Another system's format, and whether the push's envelope of it was opened.
  public struct Format: Hashable, Sendable {
    /// Whether the envelope was opened.
    public enum Result: Hashable, Sendable {
      /// It was opened and shown.
      case opened
      /// It was tried and did not open: an `EnvelopeFormatError`'s code, or `malformed-content`.
      case failed(code: String)
      /// It was not tried, because the format is no longer accepted.
      case expired
    }

    /// The format's name, such as `openssl-salted`.
    public let name: String

    /// Whether the envelope was opened.
    public let result: Result

    /// The stable code for why it was not opened; nil if it was.
    var fault: String? {
      switch result {
      case .opened: nil
      case .failed(let code): code
      case .expired: "over"
      }
    }
  }

  /// When the push was handled.
  public let time: UnixTime

  /// Whether the push was opened.
  public let outcome: Outcome

  /// The ID of the device's key, from the envelope; nil if the envelope cannot be read.
  public let keyID: KeyID?

  /// The envelope's suite; nil if the envelope cannot be read.
  public let suite: Suite?

  /// The message's ID; nil if the message was not decrypted.
  public let messageID: MessageID?

  /// Why a key could not be read, if that is the reason.
  ///
  /// Waiting for the first unlock only helps with `KeyStoreError.locked`.
  public let keyFault: KeyStoreError?

  /// The other system's format, if the push has an envelope of one that the receiver knows; nil also if time ran out.
  public let format: Format?

  /// The envelope as it arrived.
  public let envelope: EnvelopeField

  /// Why it was not opened; nil if it was.
  public var degradeReason: DegradeReason? {
    if case .degraded(let reason) = outcome { reason } else { nil }
  }

  package init(
    time: UnixTime, outcome: Outcome, envelope: EnvelopeField, messageID: MessageID?,
    keyFault: KeyStoreError? = nil, format: Format? = nil
  ) {
    self.time = time
    self.outcome = outcome
    self.envelope = envelope
    self.messageID = messageID
    self.keyFault = keyFault
    self.format = format
    let decoded = if case .text(let text) = envelope { try? Envelope(decoding: text) } else { Envelope?.none }
    keyID = decoded?.keyID
    suite = decoded?.suite
  }
}

extension ReceptionReport {
  /// The result in a few words, for a log: `opened, first`, or `not opened: key-locked, keys unavailable`.
  ///
  /// Its codes are stable, and reveal nothing of the content. It contains no IDs.
  public var summary: String {
    switch outcome {
    case .opened(let opened): "opened, \(opened.repetition.word)"
    case .openedOther(let format): "opened from \(format)"
    case .degraded(let reason):
      (["not opened: \(reason.rawValue)"] + [keyFault.flatMap(\.word), format?.words].compactMap(\.self))
        .joined(separator: ", ")
    }
  }
}

extension Repetition {
  fileprivate var word: String {
    switch self {
    case .first: "first"
    case .duplicate: "duplicate"
    case .seen: "seen"
    case .notChecked: "repetition not checked"
    }
  }
}

extension KeyStoreError {
  /// A word that adds to the reason `key-locked`; nil if there is nothing to add.
  fileprivate var word: String? { self == .unavailable ? "keys unavailable" : nil }
}

extension ReceptionReport.Format {
  fileprivate var words: String? { fault.map { "\(name) \($0)" } }
}

/// Calls a closure for each push that was not opened for a given reason.
///
/// Use it with ``DegradeReason/unknownKey`` to enrol again. Anyone who can send a push to the phone can trigger it with
/// a made-up envelope, so enrol once a day at most.
public struct DegradeHook: ReceptionObserver {
  private let reason: DegradeReason
  private let action: @Sendable (ReceptionReport) -> Void

  /// Calls `action` for each push that degrades for `reason`.
  public init(on reason: DegradeReason, action: @escaping @Sendable (ReceptionReport) -> Void) {
    self.reason = reason
    self.action = action
  }

  /// Calls the closure if the push degraded for the given reason.
  public func observe(_ report: ReceptionReport) {
    if report.degradeReason == reason { action(report) }
  }
}
