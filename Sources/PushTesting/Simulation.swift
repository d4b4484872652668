public import PushPayload
public import PushReceiver

/// What a phone would show of a payload.
public struct Simulation: Equatable, Sendable {
  /// Why the system would not have run the extension; null if it would.
  public let notRun: NotRunReason?

  /// What the receiver answered, if it ran.
  public let outcome: Outcome?

  /// What the person sees.
  public let shown: ShownContent

  /// Delivers `payload` to a phone with `receiver` in its extension, which has `deadline` to answer.
  public static func deliver(
    _ payload: JSONObject, to receiver: Receiver, deadline: Duration = Receiver.softDeadline
  ) async -> Simulation {
    if let reason = NotRunReason(payload) {
      return Simulation(notRun: reason, outcome: nil, shown: ShownContent(unopened: payload))
    }
    let push = IncomingPush(payload: payload, envelopeKey: receiver.envelopeKey)
    let reception = await receiver.receive(push, deadline: deadline)
    return Simulation(notRun: nil, outcome: reception.outcome, shown: reception.content)
  }
}

/// Why the system does not run a notification service extension (Apple, "Modifying content in newly delivered
/// notifications").
public enum NotRunReason: String, Sendable {
  /// `mutable-content` is not the number 1.
  case noMutableContent = "no-mutable-content"
  /// There is no alert with a text.
  case noAlert = "no-alert"

  init?(_ payload: JSONObject) {
    let aps = payload["aps"]?.object ?? [:]
    if aps["mutable-content"]?.number?.integer != 1 {
      self = .noMutableContent
    } else if !ShownContent(unopened: payload).hasText && !Self.isLocalized(aps) {
      self = .noAlert
    } else {
      return nil
    }
  }

  private static func isLocalized(_ aps: JSONObject) -> Bool {
    let alert = aps["alert"]?.object ?? [:]
    return [alert["title-loc-key"], alert["loc-key"]].contains { $0?.string?.isEmpty == false }
  }
}
