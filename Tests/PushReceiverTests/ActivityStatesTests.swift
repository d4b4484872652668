import PushCore
import PushKeys
import PushReceiver
import PushSealer
import PushTesting
import TestSupport
import Testing

/// The newest state of a Live Activity.
@Suite("States of Live Activities")
struct ActivityStatesTests {
  private static let now = UnixTime(seconds: 1_700_000_000)!
  private let device = KeySet(generating: .device, at: now)
  private let sender = KeySet(generating: .sender, at: now)
  private let topic = (try? Topic("com.example.app"))!
  private let folder: TemporaryFolder
  private let states: ActivityStates

  init() throws {
    folder = try TemporaryFolder()
    states = ActivityStates(path: folder.path(of: "activities.json"))
  }

  private var receiver: Receiver {
    get throws {
      Receiver(
        topic: topic, keys: device, senders: try sender.publicKeys,
        clock: ManualClock(Self.now.advanced(by: .seconds(60))))
    }
  }

  /// A state that was issued so many seconds after the first.
  private func state(_ score: String, after seconds: Int64 = 0) throws -> String {
    var policy = SealingPolicy()
    policy.pushType = .liveActivity
    let sealer = Sealer(topic: topic, signingKey: try sender.signingKey(), policy: policy)
    let push = try sealer.seal(
      payload: ["aps": ["event": "update", "timestamp": 1, "content-state": ["score": .string(score)]]],
      to: device.publicKeys.recipient(), at: Self.now.advanced(by: .seconds(seconds)))
    let field = EnvelopeField(data: try JSONObject(parsing: push.payload.span))
    guard case .text(let envelope) = field else { throw CancellationError() }
    return envelope
  }

  private func shown(_ envelope: String, of activity: String = "game") throws -> String? {
    let message = try states.open(envelope, of: activity, with: receiver)
    return message.notification.liveActivity?.contentState?["score"]?.string
  }

  @Test("an old state that comes again shows the newest one")
  func old() throws {
    let (first, second) = (try state("0:0"), try state("1:0", after: 1))
    #expect(try shown(first) == "0:0")
    #expect(try shown(second) == "1:0")
    #expect(try shown(first) == "1:0")
    #expect(try shown(second) == "1:0")
  }

  @Test("of two states in one second the later one counts")
  func sameSecond() throws {
    #expect(try shown(state("0:0")) == "0:0")
    #expect(try shown(state("1:0")) == "1:0")
  }

  @Test("each activity has its own")
  func others() throws {
    let old = try state("0:0")
    #expect(try shown(state("1:0", after: 1)) == "1:0")
    #expect(try shown(old, of: "another game") == "0:0")
  }

  @Test("a state that does not open shows the newest one that did")
  func damaged() throws {
    let good = try state("1:0")
    #expect(throws: DegradeReason.malformedEnvelope) { try shown("AQ") }
    #expect(try shown(good) == "1:0")
    #expect(try shown("AQ") == "1:0")
  }

  @Test("the file keeps ciphertext, of the activities that changed last")
  func bounded() throws {
    for number in 0..<(ActivityStates.maximumCount + 4) {
      _ = try shown(state("secret", after: Int64(number)), of: "game \(number)")
    }
    let text = String(decoding: try #require(folder.bytes(of: "activities.json")), as: UTF8.self)
    #expect(!text.contains("secret"))
    #expect(!text.contains("game 3\"") && text.contains("game 4\"") && text.contains("game 19\""))
  }

  @Test("what a later version wrote is left alone")
  func laterVersion() throws {
    let text = Array(#"{"v":2}"#.utf8)
    try folder.write(text, to: "activities.json")
    #expect(try shown(state("1:0")) == "1:0")
    #expect(folder.bytes(of: "activities.json") == text)
  }

  @Test("a damaged file is replaced")
  func damagedFile() throws {
    try folder.write(Array("{".utf8), to: "activities.json")
    let (first, second) = (try state("0:0"), try state("1:0", after: 1))
    #expect(try shown(second) == "1:0")
    #expect(try shown(first) == "1:0")
  }

  @Test("without a folder, a state is opened as it is")
  func unwritable() throws {
    let states = ActivityStates(path: folder.path(of: "nowhere/activities.json"))
    let (first, second) = (try state("0:0"), try state("1:0", after: 1))
    for envelope in [second, first] { _ = try states.open(envelope, of: "game", with: receiver) }
  }
}
