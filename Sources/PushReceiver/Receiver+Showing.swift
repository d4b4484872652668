public import PushPayload

extension Receiver {
  /// Opens a notification and says what to show of it; of one that does not open, the best attempt.
  ///
  /// It takes the time that it takes, goes through no steps and tells no observers.
  public func reception(of push: IncomingPush) -> Reception {
    attempt(push, isTooLate: { false }).reception
  }

  /// Reads an APNs payload as the system does, and says what to show of it.
  public func reception(ofPayload payload: JSONObject) -> Reception {
    reception(of: IncomingPush(payload: payload, envelopeKey: envelopeKey))
  }

  func attempt(_ push: IncomingPush, isTooLate: () -> Bool) -> Attempt {
    var trace = Trace()
    do throws(DegradeReason) {
      let message = try open(push, isTooLate: isTooLate, &trace)
      return Attempt(
        reception: Reception(content: shown(message, of: push), outcome: .opened(message.opened)),
        trace: trace, message: hides(message) ? nil : message)
    } catch {
      return attemptOther(push, insteadOf: error, isTooLate: isTooLate, trace)
    }
  }

  /// Tries what another system may have sealed, after the push has shown no envelope of this package's.
  private func attemptOther(
    _ push: IncomingPush, insteadOf reason: DegradeReason, isTooLate: () -> Bool, _ trace: Trace
  ) -> Attempt {
    var trace = trace
    do throws(DegradeReason) {
      guard let message = try openOther(push, isTooLate: isTooLate, &trace) else { throw reason }
      guard !isTooLate() else { throw .deadline }
      let content = ShownContent(message, strings: strings, envelopeKey: envelopeKey)
      let outcome = Outcome.openedOther(format: message.format)
      return Attempt(reception: Reception(content: content, outcome: outcome), trace: trace, message: nil)
    } catch {
      return Attempt(reception: degraded(push, because: error), trace: trace, message: nil)
    }
  }

  /// What to show of a notification that was not opened.
  func degraded(_ push: IncomingPush, because reason: DegradeReason) -> Reception {
    Reception(
      content: bestAttempt.content(for: push, isLate: reason == .deadline, envelopeKey: envelopeKey),
      outcome: .degraded(reason))
  }

  /// Whether a message is a repetition that is not shown as it is.
  private func hides(_ message: OpenedMessage) -> Bool {
    message.opened.isDuplicate && duplicates != .quietly
  }

  private func shown(_ message: OpenedMessage, of push: IncomingPush) -> ShownContent {
    var content =
      switch (message.opened.isDuplicate, duplicates) {
      case (false, _), (true, .quietly):
        ShownContent(message, strings: strings, envelopeKey: envelopeKey)
      case (true, .placeholder): bestAttempt.content(for: push, isLate: false, envelopeKey: envelopeKey)
      case (true, .suppress): ShownContent()
      }
    if message.opened.isDuplicate { content.sound = nil }
    return content
  }
}

/// What came of the attempt to open a notification.
struct Attempt: Sendable {
  /// What to show of it.
  let reception: Reception

  /// How far it came.
  let trace: Trace

  /// The message, if steps may still change what is shown of it.
  let message: OpenedMessage?

  /// Whether anything may still change what is shown.
  var canImprove: Bool {
    if case .openedOther = reception.outcome { true } else { message != nil }
  }
}
