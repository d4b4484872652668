public import PushAttachments
package import PushCrypto
public import PushCore
internal import PushFiles
public import PushEnrolment
public import PushKeys

/// Seals notifications to devices, on the provider's side.
///
/// A sealer is a stateless value, so one instance can serve every thread. Each message gets its own ephemeral key or
/// salt.
public struct Sealer: Sendable {
  /// The app whose notifications it seals.
  public let topic: Topic

  /// The app on Android; the same as ``topic``, unless the app has an application ID of its own.
  public let applicationID: Topic

  /// What stays visible, and how messages are made to fit.
  public var policy: SealingPolicy { drafting.policy }

  let signingKey: SigningKey?
  let random: any RandomSource
  private let drafting: Drafting
  private let draftingForFCM: Drafting

  /// Makes a sealer that signs its messages.
  ///
  /// Give `applicationID` if the app on Android has another ID than `topic`.
  public init(
    topic: Topic, applicationID: Topic? = nil, signingKey: SigningKey, policy: SealingPolicy = SealingPolicy()
  ) {
    self.init(
      topic: topic, applicationID: applicationID, signer: signingKey, policy: policy, random: SystemRandom())
  }

  /// Makes a sealer that does not sign its messages.
  ///
  /// Anyone who has a device's public key, or the shared key, can forge such a message, so receivers show it only if
  /// their app allows anonymous senders.
  public static func anonymous(
    topic: Topic, applicationID: Topic? = nil, policy: SealingPolicy = SealingPolicy()
  ) -> Sealer {
    Sealer(topic: topic, applicationID: applicationID, signer: nil, policy: policy, random: SystemRandom())
  }

  package init(
    topic: Topic, applicationID: Topic? = nil, signer: SigningKey?, policy: SealingPolicy,
    random: any RandomSource
  ) {
    self.topic = topic
    self.applicationID = applicationID ?? topic
    signingKey = signer
    drafting = Drafting(policy: policy, isSigned: signer != nil)
    draftingForFCM = Drafting(policy: policy, isSigned: signer != nil, over: .fcm)
    self.random = random
  }

  /// Seals `notification` to one device.
  ///
  /// Pass the same `messageID` when you retry a job: the ciphertext differs, but the receiver recognizes the message.
  /// Upload the blobs of its attachments first; many devices can share one blob. `account` is the tag of the account that
  /// the message is for, if the device belongs to a person: `EnrolledDevice.account`.
  ///
  /// - Throws: ``SealError``. Sealing never falls back to plaintext.
  public func seal(
    _ notification: RemoteNotification, attachments: [AttachmentDescriptor] = [], to recipient: Recipient,
    account: AccountTag? = nil, messageID: MessageID = .random(), at now: UnixTime = .now,
    lifetime: Lifetime? = nil, headers: HeaderOptions = HeaderOptions()
  ) throws(SealError) -> SealedNotification {
    try seal(
      SealJob(
        .notification(notification), attachments: attachments, to: recipient, account: account,
        messageID: messageID, at: now, lifetime: lifetime, headers: headers))
  }

  /// Seals an ordinary APNs payload to one device, keeping every member exactly as it is.
  ///
  /// - Throws: ``SealError``, including for a payload that breaks one of Apple's rules.
  public func seal(
    payload: JSONObject, attachments: [AttachmentDescriptor] = [], to recipient: Recipient,
    account: AccountTag? = nil, messageID: MessageID = .random(), at now: UnixTime = .now,
    lifetime: Lifetime? = nil, headers: HeaderOptions = HeaderOptions()
  ) throws(SealError) -> SealedNotification {
    try seal(
      SealJob(
        .payload(payload), attachments: attachments, to: recipient, account: account, messageID: messageID,
        at: now, lifetime: lifetime, headers: headers))
  }

  /// Seals a request to prove the key `recipient` and a token, as a background push: FORMAT.md, [11.19].
  ///
  /// `Registration.pending` says what a device still has to prove. Push the result to the token of the pending
  /// enrolment. The policy's padding and envelope key apply; its `postQuantum` does not, because each key is proven on
  /// its own. If somebody else may have the token, let `headers` have an `expiration` of second 0: APNs keeps one push for an
  /// app that it does not reach, and this one must not displace another.
  ///
  /// - Throws: ``SealError``; ``SealError/anonymousRequest`` if the sealer does not sign.
  public func seal(
    _ request: ProofRequest, to recipient: Recipient, messageID: MessageID = .random(),
    at now: UnixTime = .now,
    lifetime: Lifetime? = nil, headers: HeaderOptions = HeaderOptions()
  ) throws(SealError) -> SealedNotification {
    let claims = Claims(
      messageID: messageID, issuedAt: now, lifetime: lifetime ?? .standard(for: .proofRequest))
    return try seal(
      prepare(request, to: recipient, claims: claims, over: .apns) { (policy, draft) throws(SealError) in
        try notification(
          from: draft, as: policy.pushType, claims: claims, options: headers, isProofRequest: true)
      })
  }

  /// Seals one message.
  ///
  /// - Throws: ``SealError``.
  public func seal(_ job: SealJob) throws(SealError) -> SealedNotification { try seal(prepare(job)) }

  /// Seals many messages independently, and returns their results in the same order.
  ///
  /// For recipients of the suite `x25519-chachapoly` it is faster than sealing one at a time.
  public func seal(_ jobs: [SealJob]) -> [Result<SealedNotification, SealError>] {
    sealAll(jobs) { (job) throws(SealError) in try prepare(job) }
  }

  /// Seals one message for an app on Android: an alert or a background push, by the policy's push type.
  ///
  /// - Throws: ``SealError``; ``SealError/notCarriedByFCM(_:)`` for any other push type.
  public func sealForFCM(_ job: SealJob) throws(SealError) -> SealedDataMessage {
    try seal(prepareForFCM(job))
  }

  /// Seals many messages for apps on Android independently, and returns their results in the same order.
  public func sealForFCM(_ jobs: [SealJob]) -> [Result<SealedDataMessage, SealError>] {
    sealAll(jobs) { (job) throws(SealError) in try prepareForFCM(job) }
  }

  /// Seals a request to prove the key `recipient` and a token of FCM, as data: FORMAT.md, [11.19].
  ///
  /// - Throws: ``SealError``; ``SealError/anonymousRequest`` if the sealer does not sign.
  public func sealForFCM(
    _ request: ProofRequest, to recipient: Recipient, messageID: MessageID = .random(),
    at now: UnixTime = .now,
    lifetime: Lifetime? = nil, headers: HeaderOptions = HeaderOptions()
  ) throws(SealError) -> SealedDataMessage {
    let claims = Claims(
      messageID: messageID, issuedAt: now, lifetime: lifetime ?? .standard(for: .proofRequest, over: .fcm))
    return try seal(
      prepare(request, to: recipient, claims: claims, over: .fcm) { (policy, draft) throws(SealError) in
        try dataMessage(
          from: draft, as: policy.pushType, claims: claims, options: headers, isProofRequest: true)
      })
  }

  /// Seals messages that different services carry, and returns their results in the same order.
  package func seal(_ jobs: [ServiceJob]) -> [Result<SealedMessage, SealError>] {
    sealAll(jobs) { (job) throws(SealError) in
      switch job.service {
      case .apns: try prepare(job.job).map(SealedMessage.apns)
      case .fcm: try prepareForFCM(job.job).map(SealedMessage.fcm)
      }
    }
  }

  /// What turns the jobs of a service into drafts.
  func drafting(over service: PushService) -> Drafting { service == .apns ? drafting : draftingForFCM }

  /// Returns a notification's budget before anything is cut, whether or not it fits, for a device without an account.
  ///
  /// - Throws: ``SealError`` for a notification that cannot be sealed whatever its length.
  package func budget(
    for notification: RemoteNotification, attachments: [AttachmentDescriptor] = [], suite: Suite
  ) throws(SealError) -> Budget {
    try drafting.budget(for: .notification(notification), attachments: attachments, suite: suite)
  }
}

/// Why a notification was not sealed.
///
/// When sealing fails, there is nothing to send.
public enum SealError: Error, Equatable, Sendable {
  /// The notification breaks a rule of Apple's format.
  case payload(PayloadError)

  /// The notification has neither title nor body, literal or localized, so the system might show the original payload
  /// instead.
  ///
  /// Apple's tables do not forbid a subtitle alone, but receivers refuse it (FORMAT.md, rule 6.4).
  case nothingToShow

  /// The payload has a top-level member whose name the format reserves.
  case reservedKey(String)

  /// The attachments cannot be sent: one has no address, or there are too many.
  case attachments(AttachmentError)

  /// The message has attachments, but its push type shows nothing.
  case attachmentsOfData

  /// The message is too long: its smallest sealed payload has `bytes` bytes, and APNs accepts `limit`.
  case tooLarge(bytes: Int, limit: Int)

  /// The message is too long: the names and values of its smallest sealed data have `bytes` bytes, and FCM accepts `limit`.
  case tooLargeForFCM(bytes: Int, limit: Int)

  /// FCM carries no messages of this type, only alerts and background pushes.
  case notCarriedByFCM(PushType)

  /// The topic is not one of an app of the service that would carry the message: a bundle ID has no underscores, and an
  /// application ID no hyphens.
  case topicOfOther(PushService)

  /// A proof request was to be sealed without a signature.
  case anonymousRequest

  /// The header options are invalid.
  case headers(HeaderError)

  /// The recipient's public key is invalid.
  case recipientRefused

  /// The policy requires a suite that a quantum computer cannot open, and the recipient's key is for the given one.
  case notQuantumResistant(Suite)

  /// This system's libraries do not have the recipient's suite: `xwing-aesgcm` needs OpenSSL 3.5, or iOS 26 or macOS 26.
  case unavailable(Suite)

  /// The system's cryptographic library failed.
  case cryptoUnavailable
}

extension SealError {
  /// The error when the system's libraries fail at a suite: they may lack X-Wing, but must have the others.
  init(lacking suite: Suite) {
    self = suite == .xwingAESGCM ? .unavailable(suite) : .cryptoUnavailable
  }
}

extension SealError: CustomStringConvertible {
  /// Why nothing was sealed.
  public var description: String {
    switch self {
    case .payload(let error): "the payload breaks a rule: \(error)"
    case .nothingToShow: "the payload has no title and no body, so there would be nothing to show"
    case .reservedKey(let key):
      "the payload has a member '\(PrintableText.escaped(key))', which is reserved"
    case .attachments(let error): error.description
    case .attachmentsOfData: "a push without a notification cannot have attachments"
    case .tooLarge(let bytes, let limit):
      "too large: the sealed payload would have \(bytes) bytes, and APNs allows \(limit)"
    case .tooLargeForFCM(let bytes, let limit):
      "too large: the names and values of the sealed data would have \(bytes) bytes, and FCM allows \(limit)"
    case .notCarriedByFCM(let pushType):
      "FCM carries alerts and background pushes, but no pushes of type \(pushType.rawValue)"
    case .topicOfOther(.apns): "APNs takes no app ID with an underscore"
    case .topicOfOther(.fcm): "FCM takes no app ID with a hyphen: give the app's application ID"
    case .headers(let error): error.description
    case .recipientRefused: "the device's public key is invalid"
    case .anonymousRequest: "a proof request must be signed"
    case .notQuantumResistant(let suite):
      "the device's key is for \(suite.name), which a quantum computer could open, and the policy requires another suite"
    case .unavailable(let suite): suite.unavailability
    case .cryptoUnavailable: "the system's OpenSSL does not support AES-256-GCM"
    }
  }
}
