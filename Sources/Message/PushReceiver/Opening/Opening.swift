internal import PushAttachments
internal import PushCrypto
internal import PushCore
internal import PushEnrolment
internal import PushKeys

/// Opens one push for a receiver, and holds what is known about it so far, for observers.
struct Opening: Sendable {
  /// The message's ID, once it is decrypted.
  private(set) var messageID: MessageID?

  /// Why a key store gave no answer.
  private(set) var keyFault: KeyStoreError?

  /// The other system's format, if the push has an envelope of one that the receiver knows.
  private(set) var format: ReceptionReport.Format?

  /// Whether the message was or may have been opened before: then the steps do not run again.
  private(set) var isRepeated = false

  /// What was recorded in the replay store, if the message is new.
  private(set) var recorded: ReplayEntry?

  /// The opened message, if it is shown.
  private(set) var message: OpenedMessage?

  private let receiver: Receiver
  private let now: UnixTime

  init(by receiver: Receiver) {
    self.receiver = receiver
    now = receiver.clock.now
  }

  /// Opens a notification, and returns what to show of it.
  ///
  /// `mayRecord` is asked right before the message is recorded.
  mutating func reception(
    of push: IncomingPush, isTooLate: () -> Bool = { false }, mayRecord: () -> Bool = { true }
  ) -> Reception {
    let reason: DegradeReason
    do throws(DegradeReason) {
      let message = try open(push, mayRecord: mayRecord)
      let (content, opened) = (shown(for: message, of: push), message.opened)
      let isHidden = opened.isDuplicate && receiver.duplicates != .quietly
      if !isHidden { self.message = consume message }
      return Reception(content: content, outcome: .opened(opened))
    } catch {
      reason = error
    }
    do throws(DegradeReason) {
      guard let other = try openOther(push, isTooLate: isTooLate) else { throw reason }
      return other
    } catch {
      return receiver.degraded(push, because: error)
    }
  }

  /// Opens a notification, and records it in the replay store.
  ///
  /// A message that is too late to be shown is not recorded.
  mutating func open(
    _ push: IncomingPush, mayRecord: () -> Bool = { true }
  ) throws(DegradeReason) -> OpenedMessage {
    var message = try open(push.envelope, as: .notification)
    guard message.notification.hasText else { throw .malformedContent }
    try checkAccount(in: message.payload)
    guard mayRecord() else { throw .deadline }
    message.opened.repetition = try record(message.opened, content: message.json)
    return message
  }

  /// Opens a data message of a type, and records it in the replay store if the app must act on it only once.
  mutating func openData(
    _ field: EnvelopeField, as type: ContentType
  ) throws(DegradeReason) -> OpenedMessage {
    guard type.isData else { throw .malformedContent }
    var message = try open(field, as: type)
    try checkAccount(in: message.payload)
    if type.runsOnce { message.opened.repetition = try record(message.opened, content: message.json) }
    return message
  }

  /// Opens a proof request, and records it in the replay store.
  mutating func openProofRequest(_ field: EnvelopeField) throws(DegradeReason) -> OpenedProofRequest {
    var (opened, content) = try openContent(field, as: .proofRequest)
    guard let request = try? ProofRequest(parsing: content.span) else { throw .malformedContent }
    opened.repetition = try record(opened, content: content)
    return OpenedProofRequest(opened: opened, request: request)
  }

  private mutating func open(
    _ field: EnvelopeField, as type: ContentType
  ) throws(DegradeReason) -> OpenedMessage {
    var (opened, content) = try openContent(field, as: type)
    let (notification, payload) = try read(content)
    if opened.sender != nil { opened.changes = notification.changes }
    return OpenedMessage(opened: opened, notification: notification, payload: payload, json: content)
  }

  /// Decrypts and verifies a message of a type, without reading its content.
  private mutating func openContent(
    _ field: EnvelopeField, as type: ContentType
  ) throws(DegradeReason) -> (opened: Opened, content: [UInt8]) {
    let envelope = try decode(field)
    guard envelope.suite.isAvailable else { throw .unsupportedSuite }
    guard receiver.accepts.suites.contains(envelope.suite) else { throw .suiteNotAccepted }
    let key = try findKey(for: envelope)
    let content = try decrypt(envelope, with: key)
    messageID = content.claims.messageID
    guard content.type == type else { throw .malformedContent }
    let sender = try verify(content, openedWith: key)
    guard !content.claims.isExpired(at: now) else { throw .expired }
    guard !content.claims.isNotYetValid(at: now) else { throw .notYetValid }
    let opened = Opened(
      type: type, suite: key.suite, sender: sender?.publicKey.thumbprint, recipient: key.thumbprint,
      claims: content.claims, repetition: .notChecked)
    return (opened, content.content)
  }

  private func decode(_ field: EnvelopeField) throws(DegradeReason) -> Envelope {
    switch field {
    case .absent: throw .noEnvelope
    case .notText: throw .malformedEnvelope
    case .text(let text):
      do throws(EnvelopeError) { return try Envelope(decoding: text) } catch { throw DegradeReason(error) }
    }
  }

  /// Exactly one key is chosen, by its ID: the AEADs of the public-key suites do not commit to their keys.
  private mutating func findKey(for envelope: Envelope) throws(DegradeReason) -> DeviceKey {
    let key: DeviceKey?
    do throws(KeyStoreError) {
      key = try receiver.keys.deviceKey(for: envelope.keyID, at: now)
    } catch {
      keyFault = error
      throw DegradeReason(error)
    }
    guard let key, key.suite == envelope.suite else { throw .unknownKey }
    return key
  }

  private mutating func decrypt(
    _ envelope: Envelope, with key: DeviceKey
  ) throws(DegradeReason) -> SealedContent {
    let plaintext: Secret
    do throws(CryptoError) {
      plaintext = try key.open(envelope, for: receiver.topic)
    } catch {
      if error == .keyUnavailable { keyFault = .unavailable }
      throw DegradeReason(error)
    }
    guard let content = try? SealedContent(decoding: plaintext.exposedBytes) else { throw .malformedContent }
    return content
  }

  /// The sender whose signature is valid; nil for an anonymous message that the receiver accepts.
  private mutating func verify(
    _ content: SealedContent, openedWith key: DeviceKey
  ) throws(DegradeReason) -> SenderKey? {
    guard let signature = content.signature else {
      // FORMAT.md, [11.19]: a request is signed, whatever the receiver accepts.
      guard receiver.accepts.anonymous, content.type != .proofRequest else { throw .anonymousNotAccepted }
      return nil
    }
    let sender: SenderKey?
    do throws(KeyStoreError) {
      sender = try receiver.senders.senderKey(for: signature.keyID, at: now)
    } catch {
      keyFault = error
      throw DegradeReason(error)
    }
    // FORMAT.md, [5.8]: a key is not trusted for messages that were issued after the end of its set.
    guard let sender, sender.isTrusted(forIssuedAt: content.claims.issuedAt) else { throw .unknownSender }
    let binding = key.binding(for: receiver.topic)
    guard sender.hasSigned(content, for: binding) else { throw .badSignature }
    return sender
  }

  private func read(_ content: [UInt8]) throws(DegradeReason) -> (RemoteNotification, JSONObject) {
    guard let payload = try? JSONObject(parsing: content.span),
      let notification = try? RemoteNotification(parsed: payload)
    else { throw .malformedContent }
    return (notification, payload)
  }

  /// Checks that a content is not for an account that is not signed in: FORMAT.md, [6.5].
  private func checkAccount(in payload: JSONObject) throws(DegradeReason) {
    guard let accounts = receiver.accounts,
      let value = SealedPushMember.accountValue(in: payload[SealedPushMember.name])
    else { return }
    let signedIn: Set<AccountTag>
    do {
      guard let tags = try accounts.tags() else { return }
      signedIn = tags
    } catch {
      throw .otherAccount
    }
    guard let tag = value.string.flatMap({ try? AccountTag($0) }), signedIn.contains(tag) else {
      throw .otherAccount
    }
  }

  private mutating func record(
    _ opened: Opened, content: [UInt8]
  ) throws(DegradeReason) -> Repetition {
    let entry = ReplayEntry(
      key: .init(
        sender: opened.sender, recipient: opened.sender == nil ? opened.recipient : nil, type: opened.type,
        messageID: opened.claims.messageID),
      digest: SHA256.digest(content.span), issuedAt: opened.claims.issuedAt,
      expiresAt: opened.claims.expiresAt.advanced(by: Claims.skew))
    guard let verdict = try? receiver.replay.record(entry, at: now) else { return .notChecked }
    isRepeated = verdict != .first
    switch verdict {
    case .first:
      recorded = entry
      return .first
    case .duplicate: return .duplicate
    case .seen:
      recorded = entry
      return .seen
    case .forgotten: return .notChecked
    case .conflict: throw .replayed
    }
  }

  private func shown(for message: OpenedMessage, of push: IncomingPush) -> ShownContent {
    var content =
      switch (message.opened.isDuplicate, receiver.duplicates) {
      case (false, _), (true, .quietly):
        ShownContent(
          of: message.notification, payload: message.payload, isSigned: message.opened.sender != nil,
          strings: receiver.strings, envelopeKey: receiver.envelopeKey)
      case (true, .placeholder):
        receiver.bestAttempt.content(
          for: push, isLate: false, envelopeKey: receiver.envelopeKey, strings: receiver.strings)
      case (true, .suppress): ShownContent()
      }
    if isRepeated { content.sound = nil }
    return content
  }
}

extension Opening {
  /// Opens another system's envelope, if the push has none of this package's and an accepted format recognizes it;
  /// nil if there is no such envelope.
  ///
  /// Only the first format that recognizes the push is tried. Expired formats come after all others.
  ///
  /// - Throws: ``DegradeReason/otherFormat``, ``DegradeReason/deadline``.
  private mutating func openOther(
    _ push: IncomingPush, isTooLate: () -> Bool
  ) throws(DegradeReason) -> Reception? {
    guard !push.envelope.isSealed else { return nil }
    let known = receiver.accepts.formats.filter { $0.format.recognizes(push.payload) }
    guard let accepted = known.first(where: { now < $0.until }) ?? known.first else { return nil }
    guard now < accepted.until else {
      format = .init(name: accepted.name, result: .expired)
      throw .otherFormat
    }
    guard !isTooLate() else { throw .deadline }
    let plaintext: [UInt8]
    do throws(EnvelopeFormatError) {
      plaintext = try accepted.format.open(push.payload)
    } catch {
      format = .init(name: accepted.name, result: .failed(code: error.code))
      throw .otherFormat
    }
    guard let content = content(of: accepted.reading.content(plaintext, push.payload)) else {
      format = .init(
        name: accepted.name, result: .failed(code: DegradeReason.malformedContent.rawValue))
      throw .otherFormat
    }
    format = .init(name: accepted.name, result: .opened)
    guard !isTooLate() else { throw .deadline }
    return Reception(content: content, outcome: .openedOther(format: accepted.name))
  }

  /// What to show for another system's content; nil if it has no text.
  private func content(of payload: JSONObject?) -> ShownContent? {
    guard var payload else { return nil }
    // The package's own members mean nothing here: nobody has signed them.
    payload[EnvelopeKey.reserved] = nil
    guard let notification = try? RemoteNotification(payload: payload), notification.hasText else {
      return nil
    }
    return ShownContent(
      of: notification, payload: payload, isSigned: false, strings: receiver.strings,
      envelopeKey: receiver.envelopeKey)
  }
}
