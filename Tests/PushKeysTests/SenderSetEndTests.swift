import PushCore
import PushEnrolment
import PushKeys
import PushReceiver
import PushSealer
import PushTesting
import TestSupport
import Testing

/// A device's verdict on messages when its newest set of senders has ended.
@Suite("A receiver whose senders' set ends")
struct SenderSetEndTests {
  private static let longest: Int64 = 30 * 86_400

  private let folder: TemporaryFolder
  private let file: SenderKeyFile
  private let device = Kind.x25519.makeSet()
  private let sender = KeySet(generating: .sender, at: start)
  private let end = start.advanced(by: .seconds(100 * 86_400))
  private var root = KeySetEditor(KeySet(generating: .root, at: start))

  init() throws {
    folder = try TemporaryFolder()
    file = SenderKeyFile(
      path: folder.path(of: "senders.jws"), roots: try root.keySet.publicKeys, topic: Signed.topic)
    let set = try root.signSenders(sender.publicKeys, for: Signed.topic, serial: 1, expiresAt: end, at: start)
    try file.accept(Array(set.text.utf8).span)
  }

  /// Why a message does not open; nil if it does.
  private func outcome(
    issuedAt: UnixTime, openedAt now: UnixTime, senders: (any SenderKeyStore)? = nil
  ) throws -> DegradeReason? {
    let sealer = Sealer(topic: Signed.topic, signingKey: try sender.signingKey(at: start))
    let push = try sealer.seal(
      RemoteNotification(body: "secret"), to: device.publicKeys.recipient(), at: issuedAt)
    let receiver = Receiver(
      topic: Signed.topic, keys: device, senders: senders ?? file, replay: InMemoryReplayStore(),
      clock: ManualClock(now))
    let reception = receiver.reception(ofPayload: try .init(parsing: push.payload.span))
    guard case .degraded(let reason) = reception.outcome else { return nil }
    return reason
  }

  @Test func opensWhatWasIssuedBefore() throws {
    #expect(try outcome(issuedAt: start, openedAt: start) == nil)
    #expect(try outcome(issuedAt: end, openedAt: end) == nil)
    // APNs may hold it for its whole lifetime.
    #expect(try outcome(issuedAt: end, openedAt: end.advanced(by: .seconds(Self.longest + 300))) == nil)
  }

  /// The thief of a key can back-date messages, but not beyond the longest lifetime.
  @Test func opensNothingOnceTheLastMessageHasExpired() throws {
    let over = end.advanced(by: .seconds(Self.longest + 301))
    #expect(try outcome(issuedAt: end, openedAt: over) == .expired)
  }

  @Test func opensNothingThatWasIssuedLater() throws {
    let late = end.advanced(by: .seconds(1))
    #expect(try outcome(issuedAt: late, openedAt: late) == .unknownSender)
    // The device's own clock does not matter.
    #expect(try outcome(issuedAt: late, openedAt: end.advanced(by: .seconds(-100))) == .unknownSender)
    #expect(try outcome(issuedAt: late, openedAt: start) == .unknownSender)
  }

  @Test func goesOnUnderANewerSet() throws {
    var root = root
    let late = end.advanced(by: .seconds(1))
    let newer = try root.signSenders(sender.publicKeys, for: Signed.topic, serial: 2, at: late)
    try file.accept(Array(newer.text.utf8).span)
    #expect(try outcome(issuedAt: late, openedAt: late) == nil)
  }

  @Test func holdsForTheSetAloneAndNotForAnUnsignedOne() throws {
    let late = end.advanced(by: .seconds(1))
    #expect(try outcome(issuedAt: late, openedAt: late, senders: file.load()) == .unknownSender)
    #expect(try outcome(issuedAt: late, openedAt: late, senders: sender.publicKeys) == nil)
  }
}
