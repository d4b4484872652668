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

  /// What stays visible, and how messages are made to fit.
  public var policy: SealingPolicy { drafting.policy }

  private let signingKey: SigningKey?
  private let drafting: Drafting
  private let random: any RandomSource

  /// Makes a sealer that signs its messages.
  public init(topic: Topic, signingKey: SigningKey, policy: SealingPolicy = SealingPolicy()) {
    self.init(topic: topic, signer: signingKey, policy: policy, random: SystemRandom())
  }

  /// Makes a sealer that does not sign its messages.
  ///
  /// Anyone who has a device's public key, or the shared key, can forge such a message, so receivers show it only if
  /// their app allows anonymous senders.
  public static func anonymous(topic: Topic, policy: SealingPolicy = SealingPolicy()) -> Sealer {
    Sealer(topic: topic, signer: nil, policy: policy, random: SystemRandom())
  }

  package init(topic: Topic, signer: SigningKey?, policy: SealingPolicy, random: any RandomSource) {
    self.topic = topic
    signingKey = signer
    drafting = Drafting(policy: policy, isSigned: signer != nil)
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
    guard signingKey != nil else { throw .anonymousRequest }
    guard recipient.suite.isAvailable else { throw .unavailable(recipient.suite) }
    var background = SealingPolicy(envelopeKey: policy.envelopeKey, padding: policy.padding)
    background.pushType = .background
    let draft = try Drafting(policy: background, isSigned: true).draft(
      request.encoded(), for: recipient.suite)
    let claims = Claims(
      messageID: messageID, issuedAt: now, lifetime: lifetime ?? .standard(for: .proofRequest))
    let ready = Ready(
      type: .proofRequest, recipient: recipient, claims: claims, draft: draft,
      headers: try Self.headers(under: background, for: topic, claims: claims, options: headers))
    return try seal(ready)
  }

  /// Seals one message.
  ///
  /// - Throws: ``SealError``.
  public func seal(_ job: SealJob) throws(SealError) -> SealedNotification { try seal(prepare(job)) }

  /// Seals many messages independently, and returns their results in the same order.
  ///
  /// For recipients of the suite `x25519-chachapoly` it is faster than sealing one at a time.
  public func seal(_ jobs: [SealJob]) -> [Result<SealedNotification, SealError>] {
    stride(from: 0, to: jobs.count, by: SealingBatch.maximumCount).flatMap { start in
      sealBatch(jobs[start...].prefix(SealingBatch.maximumCount))
    }
  }

  /// Returns a notification's budget before anything is cut, whether or not it fits, for a device without an account.
  ///
  /// - Throws: ``SealError`` for a notification that cannot be sealed whatever its length.
  package func budget(
    for notification: RemoteNotification, attachments: [AttachmentDescriptor] = [], suite: Suite
  ) throws(SealError) -> Budget {
    try drafting.budget(for: .notification(notification), attachments: attachments, suite: suite)
  }

  /// A message that is ready to be encrypted: a class, because it is handed on from step to step.
  private final class Ready {
    let type: ContentType
    let recipient: Recipient
    let claims: Claims
    let draft: Draft
    let headers: APNsHeaders

    init(type: ContentType, recipient: Recipient, claims: Claims, draft: Draft, headers: APNsHeaders) {
      self.type = type
      self.recipient = recipient
      self.claims = claims
      self.draft = draft
      self.headers = headers
    }
  }

  /// Seals messages that fit in one batch of ephemeral keys.
  private func sealBatch(_ jobs: ArraySlice<SealJob>) -> [Result<SealedNotification, SealError>] {
    let prepared = jobs.map { job in result { () throws(SealError) in try prepare(job) } }
    var sealed = seal(prepared.compactMap { try? $0.get() }).makeIterator()
    return prepared.map { ready in
      ready.flatMap { _ in
        guard let result = sealed.next() else { preconditionFailure("each message has its result") }
        return result
      }
    }
  }

  /// Seals prepared messages: eight are signed together, and so are their keys agreed on.
  private func seal(_ all: [Ready]) -> [Result<SealedNotification, SealError>] {
    guard var batch = try? SealingBatch(for: all.map(\.recipient), random: random) else {
      return all.map { _ in .failure(.cryptoUnavailable) }
    }
    var results: [Result<SealedNotification, SealError>] = []
    results.reserveCapacity(all.count)
    for start in stride(from: 0, to: all.count, by: Lanes.width) {
      let group = all[start...].prefix(Lanes.width)
      for (ready, content) in zip(group, contents(of: group)) {
        do throws(SealError) {
          results.append(.success(try seal(content, of: ready, in: &batch)))
        } catch {
          results.append(.failure(error))
        }
      }
    }
    return results
  }

  /// Seals one prepared message.
  private func seal(_ ready: Ready) throws(SealError) -> SealedNotification {
    guard var batch = try? SealingBatch(for: ready.recipient, random: random) else {
      throw SealError(lacking: ready.recipient.suite)
    }
    let content = contents(of: [ready])[0]
    return try seal(content, of: ready, in: &batch)
  }

  private func prepare(_ job: SealJob) throws(SealError) -> Ready {
    try check(job.recipient.suite)
    let draft = try drafting.draft(job)
    let type = policy.pushType.contentType
    let claims = job.claims(as: type)
    var options = job.headers
    // The phone knows a notification by its collapse ID.
    options.replaced = options.replaced ?? job.content.changes.replaces
    return Ready(
      type: type, recipient: job.recipient, claims: claims, draft: draft,
      headers: try Self.headers(under: policy, for: topic, claims: claims, options: options))
  }

  /// Throws unless the policy allows the suite and this system's libraries have it.
  private func check(_ suite: Suite) throws(SealError) {
    guard policy.postQuantum != .required || suite.isQuantumResistant else {
      throw .notQuantumResistant(suite)
    }
    guard suite.isAvailable else { throw .unavailable(suite) }
  }

  private static func headers(
    under policy: SealingPolicy, for topic: Topic, claims: Claims, options: HeaderOptions
  ) throws(SealError) -> APNsHeaders {
    do throws(HeaderError) {
      return try APNsHeaders(pushType: policy.pushType, topic: topic, claims: claims, options: options)
    } catch {
      throw .headers(error)
    }
  }

  /// Content, signed or not -> plaintext, in its place in the envelope -> envelope -> payload.
  private func seal(
    _ content: SealedContent, of ready: Ready, in batch: inout SealingBatch
  ) throws(SealError) -> SealedNotification {
    let draft = ready.draft
    var unsealed = content.unsealed(paddedTo: draft.paddedSize, for: ready.recipient.suite)
    do throws(CryptoError) {
      let envelope = try ready.recipient.seal(inPlace: &unsealed, for: topic, in: &batch)
      return SealedNotification(
        payload: draft.skeleton.payload(carrying: envelope), headers: ready.headers, budget: draft.budget,
        cuts: draft.cuts, isProofRequest: ready.type == .proofRequest)
    } catch {
      throw error == .invalidPublicKey ? .recipientRefused : SealError(lacking: ready.recipient.suite)
    }
  }

  /// The messages' contents, signed together if the sealer signs.
  private func contents(of messages: ArraySlice<Ready>) -> [SealedContent] {
    let contents = messages.map { SealedContent(type: $0.type, claims: $0.claims, content: $0.draft.content) }
    guard let signingKey else { return contents }
    let keyID = signingKey.publicKey.thumbprint.keyID
    var inputs = zip(contents, messages).map { content, ready in
      content.signatureInput(for: ready.recipient.binding(for: topic), signer: keyID)
    }
    defer { for index in inputs.indices { inputs[index].wipe() } }
    return zip(contents, signingKey.sign(inputs)).map { content, bytes in
      guard let signature = SealedContent.Signature(keyID: keyID, bytes: bytes) else {
        preconditionFailure("an Ed25519 signature has 64 bytes")
      }
      return content.signed(by: signature)
    }
  }
}

/// The result of work that throws a ``SealError``.
private func result<Success>(of work: () throws(SealError) -> Success) -> Result<Success, SealError> {
  do throws(SealError) {
    return .success(try work())
  } catch {
    return .failure(error)
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
  fileprivate init(lacking suite: Suite) {
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
