import PushCrypto
import PushCore
import PushKeys
import PushReceiver
import PushSealer
import PushTesting
import Testing

@Suite("A private key that is kept elsewhere")
struct KeyAgreementTests {
  private let topic = (try? Topic("com.example.app"))!

  /// A message that is sealed to a key.
  private func envelope(to key: DeviceKey) throws -> Envelope {
    let plaintext: [UInt8] = [1, 2, 3]
    let recipient = try #require(key.publicKey.flatMap(Recipient.init))
    return try recipient.seal(plaintext.span, for: topic, random: SystemRandom())
  }

  private func open(_ answer: HardwareKey.Answer) throws {
    let key = try HardwareKey(answer).deviceKey
    _ = try key.open(envelope(to: key), for: topic)
  }

  @Test func opensWhatWasSealedToIt() throws {
    let hardware = try HardwareKey()
    let key = try hardware.deviceKey
    let envelope = try envelope(to: key)
    let opened = try key.open(envelope, for: topic)
    let plaintext = [UInt8](copying: opened.exposedBytes)
    #expect(plaintext == [1, 2, 3])
    #expect(hardware.questions == [envelope.encapsulatedKey])
  }

  /// The recipient caches the bytes that bind messages to an app.
  @Test(arguments: [Kind.x25519, .p256, .shared]) func bindsEachMessageToItsOwnApp(kind: Kind) throws {
    let set = kind.makeSet()
    let key = try #require(set.deviceKey(for: set.records[0].id.keyID, at: start))
    let recipient = kind == .shared ? try set.recipient(at: start) : try set.publicKeys.recipient(at: start)
    let (one, other) = (topic, try Topic("com.example.other"))
    for (mine, foreign) in [(one, other), (other, one), (one, other)] {
      let plaintext: [UInt8] = [1, 2, 3]
      let envelope = try recipient.seal(plaintext.span, for: mine, random: SystemRandom())
      let opened = try key.open(envelope, for: mine)
      let text = [UInt8](copying: opened.exposedBytes)
      #expect(text == plaintext)
      #expect(throws: CryptoError.notAuthentic) { _ = try key.open(envelope, for: foreign) }
    }
  }

  @Test func isEnrolledAndUsedByAReceiver() throws {
    let key = try HardwareKey().deviceKey
    let handedOut = try parsePublic(text(PublicKeySet(key, issuedAt: start)))
    let backend = Kind.sender.makeSet()
    let sealer = Sealer(topic: topic, signingKey: try backend.signingKey())
    let push = try sealer.seal(
      RemoteNotification(body: "secret"), to: handedOut.recipient(suite: .p256AESGCM), at: start)
    let receiver = Receiver(
      topic: topic, keys: OneKeyStore(key: key), senders: try backend.publicKeys,
      replay: InMemoryReplayStore(),
      clock: ManualClock(start))
    let message = try receiver.open(IncomingPush(payload: try JSONObject(parsing: push.payload.span)))
    #expect(message.notification.alert?.body == "secret")
    #expect(message.opened.recipient == key.thumbprint)
  }

  @Test(arguments: [KeyStoreError.locked, .unavailable])
  func showsAReceiverThatItCannotBeUsedNow(error: KeyStoreError) throws {
    let key = try HardwareKey(.failure(error)).deviceKey
    let receiver = Receiver(
      topic: topic, keys: OneKeyStore(key: key), senders: try Kind.sender.makeSet().publicKeys,
      clock: ManualClock(start))
    let envelope = try envelope(to: key)
    let push = IncomingPush(title: "", hasSound: false, envelope: .text(envelope.text))
    #expect(throws: DegradeReason.keyLocked) { try receiver.open(push) }
  }

  @Test func isLocked() {
    #expect(throws: CryptoError.keyLocked) { try open(.failure(.locked)) }
  }

  @Test func isUnavailable() {
    #expect(throws: CryptoError.keyUnavailable) { try open(.failure(.unavailable)) }
  }

  @Test(arguments: [0, 1, 31, 33, 65]) func answersWithAnotherLength(count: Int) throws {
    let answer = HardwareKey.Answer.bytes([UInt8](repeating: 1, count: count))
    #expect(throws: CryptoError.notAuthentic) { try open(answer) }
    let hardware = try HardwareKey(answer)
    let publicKey = hardware.publicKey
    #expect(throws: CryptoError.notAuthentic) {
      _ = try ExternalKey(hardware).decapsulate(publicKey.span, pkR: publicKey.span, by: HMACSHA256())
    }
  }

  @Test func answersWithAnotherSecret() {
    #expect(throws: CryptoError.notAuthentic) { try open(.bytes([UInt8](repeating: 1, count: 32))) }
  }

  @Test func doesNotOpenWhatWasSealedToAnother() throws {
    let other = try HardwareKey(seed: 8)
    let key = try HardwareKey().deviceKey
    let stranger = try DeviceKey(p256: HardwareKey().publicKey, agreement: other)
    #expect(throws: CryptoError.notAuthentic) { _ = try stranger.open(envelope(to: key), for: topic) }
  }

  @Test(arguments: BadPoint.allCases) func isNotAskedAboutABadKey(bad: BadPoint) throws {
    let hardware = try HardwareKey()
    let point = bad.spoiling(try HardwareKey(seed: 8).publicKey)
    let publicKey = hardware.publicKey
    let message = [UInt8](repeating: 0, count: 32)
    #expect(throws: CryptoError.invalidPublicKey) {
      _ = try HPKE.open(
        message.span, encapsulatedKey: point.span, skR: ExternalKey(hardware), pkR: publicKey.span,
        suite: .p256AESGCM, info: Span(), aad: Span())
    }
    #expect(hardware.questions.isEmpty)
  }

  @Test func isNotAskedAboutAnEnvelopeWithAPointOffTheCurve() throws {
    let hardware = try HardwareKey()
    let key = try hardware.deviceKey
    let good = try envelope(to: key)
    let bad = try Envelope(
      suite: good.suite, keyID: good.keyID, encapsulatedKey: BadPoint.offCurve.spoiling(good.encapsulatedKey),
      ciphertext: good.ciphertext)
    #expect(throws: CryptoError.invalidPublicKey) { _ = try key.open(bad, for: topic) }
    #expect(hardware.questions.isEmpty)
  }

  @Test(arguments: BadPoint.allCases) func itsPublicKeyIsChecked(bad: BadPoint) throws {
    let hardware = try HardwareKey()
    #expect(throws: ValueError.self) {
      _ = try DeviceKey(p256: bad.spoiling(hardware.publicKey), agreement: hardware)
    }
  }

  @Test(arguments: [32, 31]) func theSecretIsWiped(count: Int) throws {
    let hardware = try HardwareKey(.bytes([UInt8](repeating: 0xa5, count: count)))
    let key = try hardware.deviceKey
    _ = try? key.open(envelope(to: key), for: topic)
    let trace = try #require(hardware.trace)
    #expect(trace.bytes == [UInt8](repeating: 0, count: count))
  }
}

/// Byte strings that are not P-256 public keys in HPKE's form (RFC 9180, 7.1.1).
enum BadPoint: CaseIterable, Sendable {
  case empty, infinity, compressed, hybrid, withoutForm, tooLong, offCurve, notReduced

  /// Makes a bad point from a good one.
  func spoiling(_ point: [UInt8]) -> [UInt8] {
    switch self {
    case .empty: []
    case .infinity: [0]
    case .compressed: [2 | point[64] & 1] + point[1..<33]
    case .hybrid: [6 | point[64] & 1] + point[1...]
    case .withoutForm: Array(point[1...])
    case .tooLong: point + [0]
    case .offCurve: point.dropLast() + [point[64] ^ 1]
    case .notReduced: [4] + [UInt8](repeating: 0xff, count: 32) + point[33...]
    }
  }
}
