import PushCore
import PushEnrolment
import PushKeys
import PushReceiver
import PushSealer
import PushTesting
import TestSupport
import Testing

@Suite("A receiver and a sender that rotates")
struct PromotedSenderTests {
  /// The keys that the device got before the rotation are enough for messages signed after it.
  @Test func opensWhatAPromotedKeySigned() throws {
    var sender = KeySetEditor(KeySet(generating: .sender, at: start))
    var root = KeySetEditor(KeySet(generating: .root, at: start))
    let folder = try TemporaryFolder()
    let file = SenderKeyFile(
      path: folder.path(of: "senders.jws"), roots: try root.keySet.publicKeys, topic: Signed.topic)
    let signed = try root.signSenders(sender.keySet.publicKeys, for: Signed.topic, at: start)
    try file.accept(Array(signed.text.utf8).span)
    try sender.rotate(again: true, at: start)
    let device = Kind.x25519.makeSet()
    let sealer = Sealer(topic: Signed.topic, signingKey: try sender.keySet.signingKey(at: start))
    let push = try sealer.seal(
      RemoteNotification(body: "secret"), to: device.publicKeys.recipient(), at: start)
    let receiver = Receiver(
      topic: Signed.topic, keys: device, senders: file, replay: InMemoryReplayStore(),
      clock: ManualClock(start))
    let reception = receiver.reception(ofPayload: try .init(parsing: push.payload.span))
    #expect(reception.content.body == "secret")
    // The device does not know the key after that yet.
    try sender.rotate(again: true, at: start)
    let early = Sealer(topic: Signed.topic, signingKey: try sender.keySet.signingKey(at: start))
    let unknown = try early.seal(
      RemoteNotification(body: "secret"), to: device.publicKeys.recipient(), at: start)
    let other = receiver.reception(ofPayload: try .init(parsing: unknown.payload.span))
    #expect(other.outcome == .degraded(.unknownSender))
  }
}
