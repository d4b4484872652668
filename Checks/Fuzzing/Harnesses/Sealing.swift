import PushCore
import PushKeys
import PushReceiver
import PushSealer
import PushTesting

extension Harness {
  /// A sealer and a receiver: any notification under any policy opens to the same, or is refused.
  static let sealer = Harness(name: "sealer") { bytes in
    var input = Input(bytes)
    let (suite, isSigned) = (input.index(below: Suite.available.count), input.flag())
    let policy = input.policy()
    let sealer = Sealer(
      topic: Keys.topic, signer: isSigned ? Keys.signingKey : nil, policy: policy,
      random: Keys.randomness("sealer"))
    // The shared key is by far the fastest.
    let recipient = Keys.recipients[Suite.available.count - 1 - suite]
    let (lifetime, headers) = (input.lifetime(), input.headers())
    let content = input.content()
    let job = SealJob(
      content, to: recipient, messageID: MessageID([UInt8](repeating: 7, count: MessageID.size))!,
      at: Keys.now, lifetime: lifetime, headers: headers)
    guard let push = try seal(job, by: sealer) else { return }
    try check(push, of: job, under: policy, isSigned: isSigned)
    try checkVisible(push, of: job, by: sealer)
  }

  /// The sealed push; nil if the job was refused, which is the only other result allowed.
  private static func seal(_ job: SealJob, by sealer: Sealer) throws -> SealedNotification? {
    do throws(SealError) {
      let push = try sealer.seal(job)
      try? require(try sealer.seal([job])[0].get() == push, "a batch of one seals the same push")
      return push
    } catch {
      try require(error != .cryptoUnavailable && error != .recipientRefused, "the keys are valid: \(error)")
      return nil
    }
  }

  private static func check(
    _ push: SealedNotification, of job: SealJob, under policy: SealingPolicy, isSigned: Bool
  ) throws {
    try require(push.payload.count <= policy.pushType.limit.bytes, "APNs takes the payload")
    let payload = try JSONObject(parsing: push.payload.span)
    try require(payload.encoded() == push.payload, "a payload is canonical JSON")
    let message = try open(payload, under: policy, isSigned: isSigned)
    try require(message.opened.claims.messageID == job.messageID, "a message keeps its identity")
    try require(
      message.opened.claims.lifetime == job.lifetime ?? .standard(for: policy.pushType.contentType),
      "a message keeps its lifetime")
    guard push.cuts.isEmpty else { return }
    switch job.content {
    case .notification(let notification):
      try require(message.notification == notification, "a notification opens to the same")
    case .payload(let payload):
      try require(message.payload == payload, "a payload opens to the same")
    }
  }

  private static func open(
    _ payload: JSONObject, under policy: SealingPolicy, isSigned: Bool
  ) throws -> OpenedMessage {
    let receiver = Receiver(
      topic: Keys.topic, keys: Keys.store, senders: Keys.senders,
      accepts: AcceptedEnvelopes(anonymous: !isSigned),
      replay: InMemoryReplayStore(), envelopeKey: policy.envelopeKey, clock: ManualClock(Keys.now))
    guard policy.pushType == .alert else {
      return try receiver.openData(
        EnvelopeField(data: payload, envelopeKey: policy.envelopeKey), as: policy.pushType.contentType)
    }
    let reception = receiver.reception(ofPayload: payload)
    try require(
      !reception.content.title.isEmpty || !reception.content.body.isEmpty, "there is a title or a body")
    return try receiver.open(IncomingPush(payload: payload, envelopeKey: policy.envelopeKey))
  }

  /// Checks that the visible part reveals nothing about the content unless the policy allows it.
  private static func checkVisible(_ push: SealedNotification, of job: SealJob, by sealer: Sealer) throws {
    let policy = sealer.policy
    guard policy.visible.isEmpty, policy.pushType != .liveActivity else { return }
    var other = job
    other.content = .notification(RemoteNotification(body: "x"))
    let otherPush = try sealer.seal(other)
    var (left, right) = (
      try JSONObject(parsing: push.payload.span), try JSONObject(parsing: otherPush.payload.span)
    )
    for key in [policy.envelopeKey.text] { (left[key], right[key]) = (nil, nil) }
    try require(left == right, "nothing about the content is visible")
    try require(push.headers == otherPush.headers, "no header reveals anything about the content")
  }
}
