import PushCrypto
import PushEnvelope
import PushKeys
import PushPayload
import PushReceiver
import PushSealer
import PushTesting
import TestSupport
import Testing

/// A device with keys of the made-up suite: its key file, its public set, a message sealed to it and opened.
@Suite(.hangGuard) struct SeamTests {
  private static let now = UnixTime(clamping: 1_800_000_000)

  private func topic() throws -> Topic { try Topic("com.example.app") }

  @Test func aMessageGoesFromEndToEnd() async throws {
    let folder = try TemporaryFolder()
    let file = KeyFile(path: folder.path(of: "device.jwks"))
    let made = try KeySet(generating: .device, suite: .madeUp, at: Self.now)
    try file.create(made)
    let device = try file.load()
    #expect(device.records == made.records)
    let handedOut = try PublicKeySet(parsing: try device.publicKeys.encoded().span)
    let recipient = try handedOut.recipient(at: Self.now)
    #expect(recipient.suite == .madeUp && recipient.publicKey?.bytes.count == 1216)

    let senders = KeySet(generating: .sender, at: Self.now)
    let sealer = Sealer(topic: try topic(), signingKey: try senders.signingKey(at: Self.now))
    let job = RemoteNotification(title: "Ada", body: "Lunch at noon?")
    let push = try sealer.seal(job, to: recipient, at: Self.now)
    let payload = try JSONObject(parsing: push.payload.span)
    let text = try #require(payload["ENCRYPTED_DATA"]?.string)
    #expect(try Envelope(decoding: text).encapsulatedKey.count == 1120)

    let receiver = Receiver(
      topic: try topic(), keys: device, senders: try senders.publicKeys, clock: ManualClock(Self.now))
    let reception = await receiver.receive(IncomingPush(payload: payload))
    #expect(reception.content.body == "Lunch at noon?")
    let other = Receiver(
      topic: try topic(), keys: try KeySet(generating: .device, suite: .madeUp, at: Self.now),
      senders: try senders.publicKeys, clock: ManualClock(Self.now))
    #expect(await other.receive(IncomingPush(payload: payload)).outcome == .degraded(.unknownKey))
  }

  @Test(arguments: KeyFormat.allCases) func aKeyIsWrittenAndReadAgain(format: KeyFormat) throws {
    let set = try KeySet(generating: .device, suite: .madeUp, at: Self.now)
    let key = try #require(set.privateKey(set.records[0].id))
    let bytes = try #require(key.withEncodedBytes(as: format) { span in span.indices.map { span[$0] } })
    let again = try PrivateKey(parsing: bytes.span, as: format, .madeUp)
    #expect(again.publicKey == key.publicKey)
    #expect(try #require(key.publicKey.encoded(as: format)).count >= 1216)
  }
}
