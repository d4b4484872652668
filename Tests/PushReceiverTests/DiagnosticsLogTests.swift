import PushCore
import PushKeys
import PushReceiver
import PushTesting
import TestSupport
import Testing

/// What a log holds after a receiver has told it about pushes.
@Suite(.hangGuard)
struct DiagnosticsLogTests {
  private struct Broken: Error {}

  private let parties = Parties()
  private let folder: TemporaryFolder
  private let log: DiagnosticsLog

  init() throws {
    folder = try TemporaryFolder()
    log = DiagnosticsLog(path: folder.file)
  }

  private func receive(
    _ push: IncomingPush, keys: (any DeviceKeyStore)? = nil, steps: [EnrichmentStep] = [],
    replay: any ReplayStore = InMemoryReplayStore(), at now: UnixTime = Parties.now
  ) async {
    var receiver = parties.receiver(keys: keys, replay: replay, at: now)
    receiver.steps = steps
    receiver.observers = [log]
    _ = await receiver.receive(push)
  }

  private var keyID: KeyID {
    get throws { try parties.recipient.thumbprint.keyID }
  }

  @Test("a push that degrades leaves a line: when, why, for which key")
  func degraded() async throws {
    await receive(try parties.push(), keys: KeyRing())
    let record = try log.read()
    #expect(record.summary == ["unknown-key"])
    let entry = try #require(record.entries.first)
    #expect(entry.time == Parties.now)
    #expect(entry.degradeReason == .unknownKey)
    #expect(entry.keyID == (try keyID))
    #expect(entry.messageID == nil)
    #expect(record.lastOpened == nil)
  }

  @Test("of a message that was decrypted, the line says which")
  func message() async throws {
    let draft = Draft()
    await receive(try parties.push(draft), at: Parties.now.advanced(by: .seconds(2_592_301)))
    let entry = try #require(try log.read().entries.first)
    #expect(entry.degradeReason == .expired)
    #expect(entry.messageID == draft.messageID)
    #expect(entry.time == Parties.now.advanced(by: .seconds(2_592_301)))
  }

  @Test("of a push without an envelope, the line says no key")
  func noEnvelope() async throws {
    await receive(.outer(envelope: nil))
    let entry = try #require(try log.read().entries.first)
    #expect(entry.degradeReason == .noEnvelope)
    #expect(entry.keyID == nil)
  }

  @Test("the last push that opened is held, the others counted, and none leaves a line")
  func opened() async throws {
    let (first, second) = (Draft(), Draft())
    await receive(try parties.push(first))
    let before = try #require(try log.read().lastOpened)
    #expect(before.messageID == first.messageID)
    #expect(before.count == 1)
    await receive(try parties.push(second), at: Parties.now.advanced(by: .seconds(60)))
    await receive(.outer(envelope: nil), at: Parties.now.advanced(by: .seconds(70)))
    let record = try log.read()
    let last = try #require(record.lastOpened)
    #expect(last.time == Parties.now.advanced(by: .seconds(60)))
    #expect(last.messageID == second.messageID)
    #expect(last.count == 2)
    #expect(record.summary == ["no-envelope"])
  }

  @Test("the suite of the last push that opened is held")
  func suite() async throws {
    await receive(try parties.push())
    let suite = try parties.recipient.suite
    #expect(try log.read().lastOpened?.suite == suite)
    #expect(try folder.text.contains(#""suite":"\#(suite.name)","count":1}"#))
  }

  @Test(
    "a log of another version, without a suite or with one that is unknown here, is read and gone on with",
    arguments: ["", #""suite":"later-suite","#])
  func suiteOfOthers(member: String) async throws {
    let message = MessageID.random()
    let text =
      #"{"v":1,"lastOpened":{"time":1700000000,"message":"\#(message.text)",\#(member)"count":12},"entries":[]}"#
    try folder.write(Array(text.utf8))
    let last = try #require(try log.read().lastOpened)
    #expect(last.messageID == message && last.count == 12 && last.suite == nil)
    await receive(.outer(envelope: nil))
    #expect(try log.read().lastOpened == last)
    await receive(try parties.push())
    #expect(try log.read().lastOpened?.count == 13)
  }

  @Test("a suite that is no text is damage")
  func suiteOfAnotherType() throws {
    let text =
      #"{"v":1,"lastOpened":{"time":1,"message":"\#(MessageID.random().text)","suite":3,"count":1},"entries":[]}"#
    #expect(throws: ReceiverFileError.damaged) { try DiagnosticsRecord(parsing: Array(text.utf8).span) }
  }

  @Test("a replay store that could not be asked is noted, of a push that opened")
  func replayNotChecked() async throws {
    let draft = Draft()
    await receive(try parties.push(draft), replay: UnavailableReplayStore())
    let record = try log.read()
    #expect(record.summary == ["note: replay-not-checked"])
    #expect(record.entries.first?.keyID == (try keyID))
    #expect(record.entries.first?.messageID == draft.messageID)
    #expect(record.lastOpened?.messageID == draft.messageID)
  }

  @Test("a step that failed is noted, and the push counts as opened")
  func step() async throws {
    let step = EnrichmentStep("avatar") { _, _ in throw Broken() }
    await receive(try parties.push(), steps: [step])
    let record = try log.read()
    #expect(record.summary == ["avatar: failed"])
    #expect(record.entries.first?.time == Parties.now)
    #expect(record.lastOpened != nil)
  }

  @Test("what one process noted, another one reads and goes on with")
  func persistence() async throws {
    await receive(try parties.push())
    await receive(.outer(envelope: nil))
    let other = DiagnosticsLog(path: folder.file)
    #expect(try other.read() == log.read())
    other.observe(.late, of: "other", for: .at(Parties.now))
    #expect(try log.read().summary == ["no-envelope", "other: late"])
    #expect(try log.read().lastOpened?.count == 1)
  }

  @Test("each line is a line of the file, so that it can be searched")
  func greppable() async throws {
    await receive(try parties.push(), keys: KeyRing())
    await receive(.outer(envelope: nil))
    let lines = try folder.text.split(separator: "\n")
    #expect(lines.count == 4)
    #expect(lines[1] == #"{"time":1700000000,"reason":"unknown-key","key":"\#(try keyID.text)"},"#)
    #expect(lines[2] == #"{"time":1700000000,"reason":"no-envelope"}"#)
  }

  @Test("nothing of a push's text is in the file, sealed or not, opened or not, nor is its envelope")
  func secrecy() async throws {
    let push = try parties.push()
    let step = EnrichmentStep("step") { content, _ in
      content.body = "secret"
      throw Broken()
    }
    await receive(push, steps: [step], replay: UnavailableReplayStore())
    await receive(push, keys: KeyRing())
    await receive(push, keys: LockedKeyStore())
    await receive(push, at: Parties.now.advanced(by: .seconds(2_592_301)))
    await receive(.outer(envelope: .string("canary")))
    let text = try folder.text
    #expect(try log.read().entries.count == 6)
    for canary in ["secret", "Inner", "inner", "Outer", "outer", "canary", "OUTER"] {
      #expect(!text.contains(canary), "\(canary)")
    }
    let envelope = try #require(push.text)
    #expect(!text.contains(envelope.suffix(20)))
    #expect(!text.contains(envelope.prefix(20)))
  }
}
