public import PushEnvelope
public import PushKeys

/// Who keeps account of what came of pushes.
///
/// It is told once about each push that ``Receiver/receive(_:deadline:)`` takes, on a thread on which it may block:
/// before the delivery if there is time, which goes by while it works; after it, if the system says that time is up. It
/// learns nothing of the content.
public protocol ReceptionObserver: Sendable {
  /// Takes note of what came of a push.
  func observe(_ report: ReceptionReport)

  /// Takes note of a step that changed nothing of the push of a report.
  func observe(_ failure: StepFailure, of step: String, for report: ReceptionReport)
}

extension ReceptionObserver {
  /// Takes no note.
  public func observe(_ failure: StepFailure, of step: String, for report: ReceptionReport) {}
}

/// What came of a push, without anything of its content.
public struct ReceptionReport: Equatable, Sendable {
  /// When.
  public let time: UnixTime

  /// What came of it.
  public let outcome: Outcome

  /// The device's key that the envelope names; null if it is too damaged to tell.
  public let keyID: KeyID?

  /// The message's identity; null if it was not decrypted.
  public let messageID: MessageID?

  /// Why a key could not be had, if that is the reason: `KeyStoreError.unavailable` is not mended by waiting.
  public let keyFault: KeyStoreError?

  /// What came of another system's envelope; null if it had none that the receiver knows, and if time ran out.
  public let format: FormatSighting?

  /// The envelope as it came.
  public let envelope: EnvelopeField

  /// Why it was not opened; null if it was.
  public var degradeReason: DegradeReason? {
    if case .degraded(let reason) = outcome { reason } else { nil }
  }

  package init(
    time: UnixTime, outcome: Outcome, envelope: EnvelopeField, messageID: MessageID?,
    keyFault: KeyStoreError? = nil, format: FormatSighting? = nil
  ) {
    self.time = time
    self.outcome = outcome
    self.envelope = envelope
    self.messageID = messageID
    self.keyFault = keyFault
    self.format = format
    keyID = if case .text(let text) = envelope { (try? Envelope(decoding: text))?.keyID } else { nil }
  }
}

/// Calls a closure for each push that was not opened for one reason.
///
/// With ``DegradeReason/unknownKey`` it is the place to enrol anew. Whoever can send a push to the phone can make that
/// happen, with an envelope that nobody made: do it once a day at most.
public struct DegradeHook: ReceptionObserver {
  private let reason: DegradeReason
  private let action: @Sendable (ReceptionReport) -> Void

  /// Calls `action` for each push that degrades for `reason`.
  public init(on reason: DegradeReason, _ action: @escaping @Sendable (ReceptionReport) -> Void) {
    self.reason = reason
    self.action = action
  }

  /// Calls the closure if the reason is its own.
  public func observe(_ report: ReceptionReport) {
    if report.degradeReason == reason { action(report) }
  }
}
