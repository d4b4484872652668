import PushCore
import PushReceiver
import PushTesting
import TestSupport
import Testing

/// How many envelopes of other systems a log has counted.
@Suite(.hangGuard)
struct FormatCountTests {
  private let parties = Parties()
  private let folder: TemporaryFolder
  private let log: DiagnosticsLog

  init() throws {
    folder = try TemporaryFolder()
    log = DiagnosticsLog(path: folder.file)
  }

  private func receive(
    _ push: IncomingPush, _ format: some EnvelopeFormat = OtherFormat(),
    until: UnixTime = Parties.now.advanced(by: .seconds(3600)), at now: UnixTime = Parties.now
  ) async {
    var receiver = parties.receiver(accepts: .others(format, until: until), at: now)
    receiver.observers = [log]
    _ = await receiver.receive(push)
  }

  private func counts() throws -> [String] {
    try log.read().formats.map {
      "\($0.name) \($0.time.seconds - 1_700_000_000) \($0.opened) \($0.failed) \($0.expired)"
    }
  }

  @Test("what was opened, what was not, and what came too late are told apart")
  func kinds() async throws {
    for time in 1...3 { await receive(.other("Hello"), at: Parties.now.advanced(by: .seconds(time))) }
    for time in 4...5 {
      await receive(
        .other("Hello"), OtherFormat(error: .notAuthentic), at: Parties.now.advanced(by: .seconds(time)))
    }
    await receive(.other("Hello"), until: Parties.now, at: Parties.now.advanced(by: .seconds(6)))
    #expect(try counts() == ["other 6 3 2 1"])
    #expect(try log.read().summary == ["other-format", "other-format", "other-format"])
    #expect(try log.read().entries.map(\.format) == ["other", "other", "other"])
    #expect(try log.read().entries.map(\.formatFault) == ["not-authentic", "not-authentic", "over"])
  }

  @Test("when anything was noted last, the log knows")
  func lastNoted() async throws {
    await receive(.other("Hello"), at: Parties.now.advanced(by: .seconds(7)))
    #expect(try log.read().lastNoted == Parties.now.advanced(by: .seconds(7)))
    await receive(.outer(envelope: nil), at: Parties.now.advanced(by: .seconds(8)))
    #expect(try log.read().lastNoted == Parties.now.advanced(by: .seconds(8)))
    await receive(try parties.push(), at: Parties.now.advanced(by: .seconds(9)))
    #expect(try log.read().lastNoted == Parties.now.advanced(by: .seconds(9)))
  }

  @Test("an app does not enrol anew because of another system's key")
  func noEnrolment() async throws {
    let asked = OtherFormat.Asked()
    var receiver = parties.receiver(accepts: .others(OtherFormat(error: .wrongKey)))
    receiver.observers = [DegradeHook(on: .unknownKey) { _ in asked.add() }]
    _ = await receiver.receive(.other("Hello"))
    #expect(asked.count == 0)
  }

  @Test("what opened leaves no line")
  func noLine() async throws {
    await receive(.other("Hello"))
    #expect(try log.read().entries.isEmpty)
  }

  @Test("this package's own are counted apart")
  func native() async throws {
    await receive(.other("Hello"))
    await receive(try parties.push())
    await receive(try parties.push())
    #expect(try counts() == ["other 0 1 0 0"])
    #expect(try log.read().lastOpened?.count == 2)
  }

  @Test("formats are counted each for itself, the one that was seen last at the end")
  func several() async throws {
    await receive(.other("Hello"))
    await receive(.other("Hello"), ThirdFormat())
    await receive(.other("Hello"))
    #expect(try counts() == ["third 0 1 0 0", "other 0 2 0 0"])
  }

  @Test("a push that no format recognizes is not counted")
  func unrecognized() async throws {
    await receive(.outer(envelope: nil))
    #expect(try counts() == [])
  }

  @Test("observers learn the format")
  func observers() async throws {
    let notes = Notes()
    var receiver = parties.receiver(accepts: .others(OtherFormat(), until: Parties.now))
    receiver.observers = [notes]
    _ = await receiver.receive(.other("Hello"))
    let format = try #require(notes.reports.first?.format)
    #expect(format.name == "other")
    #expect(format.result == .expired)
  }

  @Test("the format that was seen longest ago makes room for a seventeenth")
  func bound() async throws {
    let others = (1...16).map {
      #"{"name":"f\#($0)","time":1700000000,"opened":1,"failed":0,"over":0}"#
    }
    try folder.write(#"{"v":1,"formats":[\#(others.joined(separator: ","))],"entries":[]}"#.utf8)
    await receive(.other("Hello"))
    let names = try log.read().formats.map(\.name)
    #expect(names == (2...16).map { "f\($0)" } + ["other"])
  }

  @Test("a count that a file has at its greatest stays there")
  func overflow() async throws {
    try folder.write(
      #"{"v":1,"formats":[{"name":"other","time":1,"opened":9223372036854775807,"failed":0,"over":0}],"entries":[]}"#
        .utf8)
    await receive(.other("Hello"))
    #expect(try log.read().formats.first?.opened == .max)
  }

  @Test(
    "a damaged count is a damaged log",
    arguments: [
      "1", "[1]", "{}", #"[{"name":"x"}]"#, #"[{"name":"x","time":1,"opened":-1,"failed":0,"over":0}]"#,
      #"[{"name":"x","time":1,"opened":1,"failed":0.5,"over":0}]"#,
      #"[{"name":1,"time":1,"opened":1,"failed":0,"over":0}]"#,
      #"[{"name":"x","time":-1,"opened":1,"failed":0,"over":0}]"#,
      "["
        + Array(repeating: #"{"name":"x","time":1,"opened":1,"failed":0,"over":0}"#, count: 17).joined(
          separator: ",")
        + "]",
    ])
  func damaged(_ formats: String) throws {
    try folder.write(#"{"v":1,"formats":\#(formats),"entries":[]}"#.utf8)
    #expect(throws: ReceiverFileError.damaged) { try log.read() }
  }

  @Test("a name that would not print is made printable")
  func name() throws {
    try folder.write(
      #"{"v":1,"formats":[{"name":"a\u0007b","time":1,"opened":1,"failed":0,"over":0}],"entries":[]}"#.utf8)
    #expect(try log.read().formats.first?.name == "a?b")
  }
}
