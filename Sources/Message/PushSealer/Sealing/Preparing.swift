internal import PushCore
internal import PushEnrolment
internal import PushKeys

/// A message that is ready to be encrypted: a class, because it is handed on from step to step.
final class ReadyMessage<Message> {
  let type: ContentType
  let recipient: Recipient
  /// The app on the recipient's device.
  let topic: Topic
  let claims: Claims
  let draft: Draft
  /// Makes what is sent from the envelope.
  let carry: (Envelope) -> Message

  init(
    type: ContentType, recipient: Recipient, topic: Topic, claims: Claims, draft: Draft,
    carry: @escaping (Envelope) -> Message
  ) {
    self.type = type
    self.recipient = recipient
    self.topic = topic
    self.claims = claims
    self.draft = draft
    self.carry = carry
  }

  /// The message, of which something else is made.
  func map<Other>(_ transform: @escaping (Message) -> Other) -> ReadyMessage<Other> {
    ReadyMessage<Other>(
      type: type, recipient: recipient, topic: topic, claims: claims, draft: draft,
      carry: { [carry] in transform(carry($0)) })
  }
}

extension Sealer {
  /// Job -> draft -> a push of APNs that lacks its envelope.
  func prepare(_ job: SealJob) throws(SealError) -> ReadyMessage<SealedNotification> {
    let (draft, claims) = try draft(job, over: .apns)
    var options = job.headers
    // The phone knows a notification by its collapse ID.
    options.replaced = options.replaced ?? job.content.changes.replaces
    let type = policy.pushType.contentType
    return ReadyMessage(
      type: type, recipient: job.recipient, topic: topic, claims: claims, draft: draft,
      carry: try notification(from: draft, as: policy.pushType, claims: claims, options: options))
  }

  /// Job -> draft -> a message of FCM that lacks its envelope.
  func prepareForFCM(_ job: SealJob) throws(SealError) -> ReadyMessage<SealedDataMessage> {
    guard policy.pushType.nameAtFCM != nil else { throw .notCarriedByFCM(policy.pushType) }
    let (draft, claims) = try draft(job, over: .fcm)
    return ReadyMessage(
      type: policy.pushType.contentType, recipient: job.recipient, topic: applicationID, claims: claims,
      draft: draft,
      carry: try dataMessage(from: draft, as: policy.pushType, claims: claims, options: job.headers))
  }

  private func draft(
    _ job: SealJob, over service: PushService
  ) throws(SealError) -> (draft: Draft, claims: Claims) {
    guard policy.postQuantum != .required || job.recipient.suite.isQuantumResistant else {
      throw .notQuantumResistant(job.recipient.suite)
    }
    try check(job.recipient.suite, over: service)
    return (
      try drafting(over: service).draft(job), job.claims(as: policy.pushType.contentType, over: service)
    )
  }

  /// Proof request -> draft -> a background push of the service that lacks its envelope.
  func prepare<Message>(
    _ request: ProofRequest, to recipient: Recipient, claims: Claims, over service: PushService,
    carry: (SealingPolicy, Draft) throws(SealError) -> (Envelope) -> Message
  ) throws(SealError) -> ReadyMessage<Message> {
    guard signingKey != nil else { throw .anonymousRequest }
    try check(recipient.suite, over: service)
    var background = SealingPolicy(envelopeKey: policy.envelopeKey, padding: policy.padding)
    background.pushType = .background
    let draft = try Drafting(policy: background, isSigned: true, over: service).draft(
      request.encoded(), for: recipient.suite)
    return ReadyMessage(
      type: .proofRequest, recipient: recipient, topic: topic(over: service), claims: claims, draft: draft,
      carry: try carry(background, draft))
  }

  /// The app on the devices of a service.
  private func topic(over service: PushService) -> Topic { service == .apns ? topic : applicationID }

  /// Throws unless this system's libraries have the suite and the service can have the app.
  private func check(_ suite: Suite, over service: PushService) throws(SealError) {
    guard suite.isAvailable else { throw .unavailable(suite) }
    guard topic(over: service).isOf(service) else { throw .topicOfOther(service) }
  }

  /// What makes a push of APNs from its envelope.
  func notification(
    from draft: Draft, as pushType: PushType, claims: Claims, options: HeaderOptions,
    isProofRequest: Bool = false
  ) throws(SealError) -> (Envelope) -> SealedNotification {
    let headers: APNsHeaders
    do throws(HeaderError) {
      headers = try APNsHeaders(pushType: pushType, topic: topic, claims: claims, options: options)
    } catch {
      throw .headers(error)
    }
    return { envelope in
      SealedNotification(
        payload: draft.skeleton.payload(carrying: envelope), headers: headers, budget: draft.budget,
        cuts: draft.cuts, isProofRequest: isProofRequest)
    }
  }

  /// What makes a message of FCM from its envelope.
  func dataMessage(
    from draft: Draft, as pushType: PushType, claims: Claims, options: HeaderOptions,
    isProofRequest: Bool = false
  ) throws(SealError) -> (Envelope) -> SealedDataMessage {
    let delivery: FCMDelivery
    do throws(HeaderError) {
      delivery = try FCMDelivery(pushType: pushType, claims: claims, options: options)
    } catch {
      throw .headers(error)
    }
    return { envelope in
      SealedDataMessage(
        messageID: claims.messageID, data: draft.skeleton.payload(carrying: envelope), delivery: delivery,
        budget: draft.budget, cuts: draft.cuts, isProofRequest: isProofRequest)
    }
  }
}
