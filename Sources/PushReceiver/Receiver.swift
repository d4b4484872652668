internal import PushCrypto
public import PushEnvelope
public import PushKeys
public import PushPayload

/// The device's side: opens notifications, and always has something to show.
///
/// A receiver is a value that shares nothing between requests but its key stores and its replay store, so one
/// serves several notifications at once. It only reads keys.
public struct Receiver: Sendable {
  let topic: Topic
  let keys: any DeviceKeyStore
  let senders: any SenderKeyStore
  let replay: any ReplayStore
  let duplicates: DuplicateRule
  let bestAttempt: BestAttempt
  let clock: any ReceiverClock

  /// What it opens.
  public let accepts: Acceptance

  /// The top-level member that carries the envelope.
  public let envelopeKey: EnvelopeKey

  /// The app's texts, by which an opened notification is localized.
  public var strings: any LocalizedStrings = NoStrings()

  /// What happens to an opened notification before it is shown, in order.
  ///
  /// A repeated one that ``DuplicateRule`` does not show is left as it is.
  public var steps: [EnrichmentStep] = []

  /// Who keeps account of what came of each push.
  public var observers: [any ReceptionObserver] = []

  /// Makes a receiver for one app.
  ///
  /// `topic` is the containing app's bundle id, not the extension's. `replay` is to be shared by all receivers of
  /// the app; the default one forgets when the process ends.
  public init(
    topic: Topic, keys: any DeviceKeyStore, senders: any SenderKeyStore, accepts: Acceptance = .signed,
    replay: any ReplayStore = InMemoryReplayStore.shared, duplicates: DuplicateRule = .quietly,
    bestAttempt: BestAttempt = .outerTitle, envelopeKey: EnvelopeKey = .default,
    clock: any ReceiverClock = SystemClock()
  ) {
    self.topic = topic
    self.keys = keys
    self.senders = senders
    self.accepts = accepts
    self.replay = replay
    self.duplicates = duplicates
    self.bestAttempt = bestAttempt
    self.envelopeKey = envelopeKey
    self.clock = clock
  }

  /// Opens a notification: decode, find the key, open, verify, check, read, remember.
  ///
  /// Other systems' envelopes are not looked at: ``reception(of:)`` and ``receive(_:deadline:)`` do that.
  ///
  /// - Throws: ``DegradeReason``, at the first thing that is wrong.
  public func open(_ push: IncomingPush) throws(DegradeReason) -> OpenedMessage {
    var trace = Trace()
    return try open(push, isTooLate: { false }, &trace)
  }

  /// Opens a notification, and leaves a trace of how far it came.
  ///
  /// What comes too late to be shown is not remembered as shown.
  func open(
    _ push: IncomingPush, isTooLate: () -> Bool, _ trace: inout Trace
  ) throws(DegradeReason) -> OpenedMessage {
    let now = clock.now
    let message = try open(push.envelope, as: .notification, at: now, &trace)
    guard message.notification.hasText else { throw .malformedContent }
    guard !isTooLate() else { throw .deadline }
    return message.with(try remember(message, at: now, &trace))
  }

  /// Opens data that the app itself asks for: of a background or VoIP push, or of a Live Activity's state.
  ///
  /// It answers at once, asks no replay store and remembers nothing, so a widget can call it. A notification's envelope
  /// is refused here, as data is by ``open(_:)``.
  ///
  /// - Throws: ``DegradeReason``, at the first thing that is wrong.
  public func openData(_ envelope: EnvelopeField) throws(DegradeReason) -> OpenedMessage {
    var trace = Trace()
    return try open(envelope, as: .data, at: clock.now, &trace)
  }

  private func open(
    _ field: EnvelopeField, as type: ContentType, at now: UnixTime, _ trace: inout Trace
  ) throws(DegradeReason) -> OpenedMessage {
    let envelope = try decode(field)
    guard accepts.suites.contains(envelope.suite) else { throw .suiteNotAccepted }
    let key = try findKey(for: envelope, at: now, &trace)
    let content = try open(envelope, with: key, &trace)
    trace.messageID = content.claims.messageID
    guard content.type == type else { throw .malformedContent }
    let sender = try verify(content, for: key.binding(for: topic), at: now, &trace)
    guard !content.claims.isExpired(at: now) else { throw .expired }
    guard !content.claims.isNotYetValid(at: now) else { throw .notYetValid }
    let (notification, payload) = try read(content.content)
    let opened = Opened(
      sender: sender?.publicKey.thumbprint, recipient: key.thumbprint, claims: content.claims,
      repetition: .notChecked)
    return OpenedMessage(
      opened: opened, notification: notification, payload: payload, json: content.content)
  }

  private func decode(_ field: EnvelopeField) throws(DegradeReason) -> Envelope {
    switch field {
    case .absent: throw .noEnvelope
    case .notText: throw .malformedEnvelope
    case .text(let text):
      do throws(EnvelopeError) { return try Envelope(decoding: text) } catch { throw DegradeReason(error) }
    }
  }

  /// Exactly one key is chosen, by its id: the AEADs of the public-key suites do not commit to their keys.
  private func findKey(
    for envelope: Envelope, at now: UnixTime, _ trace: inout Trace
  ) throws(DegradeReason) -> DeviceKey {
    let key: DeviceKey?
    do throws(KeyStoreError) {
      key = try keys.deviceKey(for: envelope.keyID, at: now)
    } catch {
      trace.keyFault = error
      throw DegradeReason(error)
    }
    guard let key, key.suite == envelope.suite else { throw .unknownKey }
    return key
  }

  private func open(
    _ envelope: Envelope, with key: DeviceKey, _ trace: inout Trace
  ) throws(DegradeReason) -> SealedContent {
    let plaintext: Secret
    do throws(CryptoError) {
      plaintext = try key.open(envelope, for: topic)
    } catch {
      if error == .keyUnavailable { trace.keyFault = .unavailable }
      throw DegradeReason(error)
    }
    guard let content = try? SealedContent(decoding: plaintext.exposedBytes) else { throw .malformedContent }
    return content
  }

  /// The sender, whose signature is right; null if there need not be one.
  private func verify(
    _ content: SealedContent, for binding: Binding, at now: UnixTime, _ trace: inout Trace
  ) throws(DegradeReason) -> SenderKey? {
    guard let signature = content.signature else {
      guard accepts.anonymous else { throw .anonymousNotAccepted }
      return nil
    }
    let sender: SenderKey?
    do throws(KeyStoreError) {
      sender = try senders.senderKey(for: signature.keyID, at: now)
    } catch {
      trace.keyFault = error
      throw DegradeReason(error)
    }
    guard let sender else { throw .unknownSender }
    guard sender.hasSigned(content, for: binding) else { throw .badSignature }
    return sender
  }

  private func read(_ content: [UInt8]) throws(DegradeReason) -> (RemoteNotification, JSONObject) {
    guard let payload = try? JSONObject(parsing: content.span),
      let notification = try? RemoteNotification(payload: payload)
    else { throw .malformedContent }
    return (notification, payload)
  }

  private func remember(
    _ message: OpenedMessage, at now: UnixTime, _ trace: inout Trace
  ) throws(DegradeReason) -> Repetition {
    let opened = message.opened
    let entry = ReplayEntry(
      key: .init(
        sender: opened.sender, recipient: opened.sender == nil ? opened.recipient : nil,
        messageID: opened.claims.messageID),
      digest: SHA256.digest(message.json.span),
      expiresAt: opened.claims.expiresAt.advanced(by: Claims.skew))
    guard let verdict = try? replay.record(entry, at: now) else { return .notChecked }
    switch verdict {
    case .first:
      trace.remembered = entry
      return .first
    case .duplicate: return .duplicate
    case .conflict: throw .replayed
    }
  }
}
