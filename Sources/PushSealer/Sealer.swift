public import PushAttachments
package import PushCrypto
public import PushEnvelope
public import PushKeys
public import PushPayload

/// The provider's side: seals notifications to devices.
///
/// A sealer is a value without state: one serves every thread, and every message gets its own ephemeral key.
public struct Sealer: Sendable {
  /// The app that it seals for.
  public let topic: Topic

  /// What it leaves visible.
  public let policy: SealingPolicy

  private let signingKey: SigningKey?
  private let skeleton: Skeleton
  private let random: any RandomSource

  /// Makes a sealer whose messages are signed.
  public init(topic: Topic, signingKey: SigningKey, policy: SealingPolicy = SealingPolicy()) {
    self.init(topic: topic, signer: signingKey, policy: policy, random: SystemRandom())
  }

  /// Makes a sealer whose messages are not signed.
  ///
  /// Receivers do not show them unless their app says so, because anyone who has a device's public key can
  /// make one.
  public static func anonymous(topic: Topic, policy: SealingPolicy = SealingPolicy()) -> Sealer {
    Sealer(topic: topic, signer: nil, policy: policy, random: SystemRandom())
  }

  package init(topic: Topic, signer: SigningKey?, policy: SealingPolicy, random: any RandomSource) {
    self.topic = topic
    signingKey = signer
    self.policy = policy
    skeleton = Skeleton(policy)
    self.random = random
  }

  /// Seals `notification` to one device.
  ///
  /// A job that is tried again passes the same `messageID`: the ciphertext is another, the message the same. The
  /// blobs of its attachments have been uploaded; one of them may serve many devices.
  ///
  /// - Throws: ``SealError``. Nothing ever falls back to plaintext.
  public func seal(
    _ notification: RemoteNotification, attachments: [AttachmentDescriptor] = [], to recipient: Recipient,
    messageID: MessageID = .random(), at now: UnixTime = .now, lifetime: Lifetime = .maximum
  ) throws(SealError) -> SealedPush {
    let claims = Claims(messageID: messageID, issuedAt: now, lifetime: lifetime)
    return try seal(try encode(notification, attachments), claims, to: recipient)
  }

  /// Seals an ordinary APNs payload to one device, every member exactly as it is.
  ///
  /// - Throws: ``SealError``, also for a payload that breaks one of Apple's rules.
  public func seal(
    payload: JSONObject, attachments: [AttachmentDescriptor] = [], to recipient: Recipient,
    messageID: MessageID = .random(), at now: UnixTime = .now, lifetime: Lifetime = .maximum
  ) throws(SealError) -> SealedPush {
    let claims = Claims(messageID: messageID, issuedAt: now, lifetime: lifetime)
    return try seal(try encode(payload, attachments), claims, to: recipient)
  }

  /// The budget of a notification, whether it fits or not.
  ///
  /// - Throws: ``SealError`` for a notification that could not be sealed at any length.
  public func budget(
    for notification: RemoteNotification, attachments: [AttachmentDescriptor] = [], suite: Suite
  ) throws(SealError) -> Budget {
    let overhead = SealedContent.overhead(isSigned: signingKey != nil)
    let content = try encode(notification, attachments)
    return Budget(skeleton, suite: suite, minimumSize: overhead + content.count)
  }

  /// Notification -> content, in JSON.
  private func encode(
    _ notification: RemoteNotification, _ attachments: [AttachmentDescriptor]
  ) throws(SealError) -> [UInt8] {
    try check(notification)
    let payload: JSONObject
    do throws(PayloadError) {
      payload = try notification.payload()
    } catch {
      throw .payload(error)
    }
    return try encode(checked: payload, attachments)
  }

  /// Payload -> content, without white space.
  private func encode(
    _ payload: JSONObject, _ attachments: [AttachmentDescriptor]
  ) throws(SealError) -> [UInt8] {
    let notification: RemoteNotification
    do throws(PayloadError) {
      notification = try RemoteNotification(payload: payload)
    } catch {
      throw .payload(error)
    }
    try check(notification)
    return try encode(checked: payload, attachments)
  }

  /// Payload and attachments -> content, the format's own member last.
  private func encode(
    checked payload: JSONObject, _ attachments: [AttachmentDescriptor]
  ) throws(SealError) -> [UInt8] {
    guard !attachments.isEmpty else { return payload.encoded() }
    guard policy.pushType == .alert else { throw .attachmentsOfData }
    var payload = payload
    do throws(AttachmentError) {
      payload[SealedPushMember.name] = .object(try SealedPushMember(attachments: attachments).json())
    } catch {
      throw .attachments(error)
    }
    return payload.encoded()
  }

  private func check(_ notification: RemoteNotification) throws(SealError) {
    guard policy.pushType.contentType == .data || notification.hasText else { throw .nothingToShow }
    for key in [policy.envelopeKey.text, EnvelopeKey.reserved] where notification.custom[key] != nil {
      throw .reservedKey(key)
    }
  }

  private func seal(
    _ content: [UInt8], _ claims: Claims, to recipient: Recipient
  ) throws(SealError) -> SealedPush {
    try seal(
      SealedContent(type: policy.pushType.contentType, claims: claims, content: content), to: recipient)
  }

  /// Content -> signed content -> plaintext -> envelope -> payload.
  private func seal(_ content: SealedContent, to recipient: Recipient) throws(SealError) -> SealedPush {
    let content = sign(content, for: recipient.binding(for: topic))
    let budget = Budget(skeleton, suite: recipient.suite, minimumSize: content.minimumSize)
    guard let size = policy.padding.paddedSize(of: content.minimumSize, capacity: budget.capacity) else {
      throw .tooLarge(bytes: budget.neededPayload, limit: budget.limit)
    }
    var plaintext = content.encoded(paddedTo: size)
    defer { plaintext.wipe() }
    let envelope = try encrypt(plaintext.span, to: recipient)
    return SealedPush(
      payload: skeleton.payload(carrying: envelope.text).encoded(),
      headers: APNsHeaders(pushType: policy.pushType, topic: topic, claims: content.claims),
      budget: budget)
  }

  private func sign(_ content: SealedContent, for binding: Binding) -> SealedContent {
    guard let signingKey else { return content }
    let keyID = signingKey.publicKey.thumbprint.keyID
    var input = content.signatureInput(for: binding, signer: keyID)
    defer { input.wipe() }
    guard let signature = SealedContent.Signature(keyID: keyID, bytes: signingKey.sign(input.span)) else {
      preconditionFailure("an Ed25519 signature has 64 bytes")
    }
    return content.signed(by: signature)
  }

  private func encrypt(_ plaintext: Span<UInt8>, to recipient: Recipient) throws(SealError) -> Envelope {
    do throws(CryptoError) {
      return try recipient.seal(plaintext, for: topic, random: random)
    } catch {
      throw error == .invalidPublicKey ? .recipientRefused : .cryptoUnavailable
    }
  }
}
