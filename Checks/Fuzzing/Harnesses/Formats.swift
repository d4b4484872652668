import PushCompat
import PushCore
import PushReceiver
import PushTesting

extension Harness {
  /// A receiver that accepts other systems' envelopes: whatever they contain, a text is shown, and nothing breaks
  /// through silence.
  static let formats = Harness(name: "formats") { bytes in
    if let payload = try? JSONObject(parsing: bytes.span) { return try check(payload) }
    var input = Input(bytes)
    let item = input.choice(of: cases)
    guard let envelope = try? item.seal(input.remainder()) else { return }
    var payload = item.carry(envelope)
    payload["aps"] = ["alert": ["title": "Outer"], "mutable-content": 1]
    try check(payload)
  }

  private static let cases = [
    CompatibilityCase.openSSLSalted[0], CompatibilityCase.bark[1], CompatibilityCase.webPush[0],
    CompatibilityCase.webPushDraft[1], CompatibilityCase.sealedBox[0], CompatibilityCase.zulip[0],
    CompatibilityCase.homeAssistant[0],
  ]

  private static let readings =
    [
      .alert, Bark.reading, .text, .payload, .alert, Zulip.reading, HomeAssistant.reading,
    ] as [PlaintextReading]

  private static let acceptance = AcceptedEnvelopes(
    formats: zip(cases, readings).map { AcceptedFormat($0.format, until: .distantFuture, reading: $1) })

  private static func check(_ payload: JSONObject) throws {
    let receiver = Receiver(
      topic: Keys.topic, keys: Keys.store, senders: Keys.senders, accepts: acceptance,
      replay: InMemoryReplayStore(), clock: ManualClock(Keys.now))
    let reception = receiver.reception(ofPayload: payload)
    let shown = reception.content
    try require(!shown.title.isEmpty || !shown.body.isEmpty, "there is a title or a body")
    guard case .openedOther(let format) = reception.outcome else { return }
    try require(
      acceptance.formats.contains { $0.name == format && $0.format.recognizes(payload) },
      "a payload that is not recognized does not open")
    try require(isQuiet(shown), "another system's message breaks through no silence")
    try require(shown.userInfo[EnvelopeKey.reserved] == nil, "the app gets no member of the format's own")
  }
}
