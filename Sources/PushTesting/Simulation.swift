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
