public import PushPayload
public import PushReceiver

/// What a phone would show of a payload.
public struct Simulation: Equatable, Sendable {
  /// Why the system would not have run the extension; nil if it would.
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

extension ShownContent {
  /// The content as JSON, with the names of Apple's classes.
  ///
  /// What is absent is an empty string or null.
  public var json: JSONObject {
    [
      "title": .string(title),
      "subtitle": .string(subtitle),
      "body": .string(body),
      "sound": sound.map(Self.json) ?? .null,
      "badge": badge.map { .number(JSONNumber($0)) } ?? .null,
      "category": .string(category),
      "threadIdentifier": .string(threadIdentifier),
      "targetContentIdentifier": targetContentIdentifier.map(JSONValue.string) ?? .null,
      "interruptionLevel": .string(interruptionLevel.rawValue),
      "relevanceScore": JSONNumber(relevanceScore).map(JSONValue.number) ?? .null,
      "userInfo": .object(PropertyList.json(userInfo)),
    ]
  }

  private static func json(_ sound: Sound) -> JSONValue {
    switch sound {
    case .named(let name): return .string(name)
    case .critical(let name, let volume):
      var object: JSONObject = ["critical": .number(JSONNumber(1)), "name": .string(name)]
      object["volume"] = volume.flatMap { JSONNumber($0) }.map(JSONValue.number)
      return .object(object)
    }
  }
}
