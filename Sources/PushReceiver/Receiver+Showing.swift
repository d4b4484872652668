public import PushPayload

extension Receiver {
  /// Opens a notification and says what to show of it; of one that does not open, the best attempt.
  public func reception(of push: IncomingPush) -> Reception {
    reception(of: push, isTooLate: { false })
  }

  func reception(of push: IncomingPush, isTooLate: () -> Bool) -> Reception {
    do throws(DegradeReason) {
      return reception(of: push, opened: try open(push, isTooLate: isTooLate))
    } catch {
      return degraded(push, because: error)
    }
  }

  /// Reads an APNs payload as the system does, and says what to show of it.
  public func reception(ofPayload payload: JSONObject) -> Reception {
    reception(of: IncomingPush(payload: payload, envelopeKey: envelopeKey))
  }

  /// What to show of a notification that was not opened.
  func degraded(_ push: IncomingPush, because reason: DegradeReason) -> Reception {
    Reception(
      content: bestAttempt.content(for: push, isLate: reason == .deadline, envelopeKey: envelopeKey),
      outcome: .degraded(reason))
  }

  private func reception(of push: IncomingPush, opened message: OpenedMessage) -> Reception {
    var content = ShownContent(
      message.notification, payload: message.payload, isSigned: message.opened.sender != nil,
      envelopeKey: envelopeKey)
    if message.opened.isDuplicate { repeatContent(&content, of: push) }
    return Reception(content: content, outcome: .opened(message.opened))
  }

  /// Turns the content of a message that was shown before into what is shown this time.
  private func repeatContent(_ content: inout ShownContent, of push: IncomingPush) {
    switch duplicates {
    case .quietly: break
    case .placeholder: content = bestAttempt.content(for: push, isLate: false, envelopeKey: envelopeKey)
    case .suppress: content = ShownContent()
    }
    content.sound = nil
  }
}
