import Foundation
import PushCore
import PushReceiver
import PushTesting
import TestSupport
import Testing

/// What happens to kept envelopes when their file is not as it should be.
@Suite(.hangGuard)
struct KeptEnvelopesFaultTests {
  private let parties = Parties()
  private let folder: TemporaryFolder
  private let kept: KeptEnvelopes

  init() throws {
    folder = try TemporaryFolder()
    kept = KeptEnvelopes(path: folder.file)
  }

  private func receiveLocked(_ push: IncomingPush) async -> Reception {
    var receiver = parties.receiver(keys: LockedKeyStore())
    receiver.observers = [kept]
    return await receiver.receive(push)
  }

  private func openAll() async throws -> [Reception] {
    var receptions: [Reception] = []
    try await kept.openAll(with: parties.receiver()) { receptions.append($0) }
    return receptions
  }

  @Test("nothing is kept where nothing was written")
  func missing() async throws {
    #expect(try await openAll() == [])
    #expect(try folder.names == [])
  }

  @Test("without its folder nothing is kept, the push is shown as ever, and the app hears of it")
  func missingFolder() async throws {
    let kept = KeptEnvelopes(path: "\(folder.path)/nowhere/kept.json")
    var receiver = parties.receiver(keys: LockedKeyStore())
    receiver.observers = [kept]
    #expect(await receiver.receive(try parties.push()).content.body == "(Encrypted)")
    await #expect(throws: ReceiverFileError.missing) {
      try await kept.openAll(with: parties.receiver()) { _ in }
    }
  }

  @Test("a file that is too large is damaged, and begun anew")
  func tooLarge() async throws {
    try folder.write([])
    try #require(unsafe truncate(folder.file, 1 << 40) == 0)
    await #expect(throws: ReceiverFileError.damaged) { try await openAll() }
    _ = await receiveLocked(try parties.push())
    #expect(try await openAll().map(\.content.body) == ["secret"])
  }

  @Test("a file that was cut off anywhere is damaged, and begun anew")
  func truncated() async throws {
    let whole = Array(#"{"v":1,"envelopes":["AQ","AR"]}"#.utf8)
    let push = try parties.push()
    for count in 0..<whole.count {
      try folder.write(whole.prefix(count))
      await #expect(throws: ReceiverFileError.damaged, "\(count)") { try await openAll() }
      _ = await receiveLocked(push)
      #expect(try await openAll().map(\.content.body) == ["secret"])
    }
  }

  @Test(
    "a file with a fault is damaged, and begun anew",
    arguments: [
      "[]", "{}", #"{"v":1}"#, #"{"envelopes":[]}"#, #"{"v":0,"envelopes":[]}"#, #"{"v":1,"envelopes":{}}"#,
      #"{"v":1,"envelopes":["AQ",1]}"#, #"{"v":1,"envelopes":["\#(String(repeating: "A", count: 8193))"]}"#,
    ])
  func damaged(text: String) async throws {
    try folder.write(text.utf8)
    await #expect(throws: ReceiverFileError.damaged) { try await openAll() }
    _ = await receiveLocked(try parties.push())
    #expect(try await openAll().map(\.content.body) == ["secret"])
  }

  @Test("a file of a later version is left alone")
  func laterVersion() async throws {
    let text = #"{"v":2}"#
    try folder.write(text.utf8)
    _ = await receiveLocked(try parties.push())
    await #expect(throws: ReceiverFileError.laterVersion) { try await openAll() }
    #expect(try folder.text == text)
  }

  @Test("what is no envelope is handed over as malformed, and is gone")
  func noEnvelope() async throws {
    try folder.write(#"{"v":1,"envelopes":["\u001b"]}"#.utf8)
    #expect(try await openAll().map(\.outcome) == [.degraded(.malformedEnvelope)])
    #expect(try await openAll() == [])
  }

  @Test("a full file of the longest envelopes is written, and read")
  func longest() async throws {
    let longest = (0..<128).map { number in
      let text = "\(number)"
      return text + String(repeating: "A", count: Envelope.maximumTextSize - text.count)
    }
    let kept = KeptEnvelopes(path: folder.file, capacity: 128)
    try folder.write(#"{"v":1,"envelopes":["\#(longest.joined(separator: "\",\""))"]}"#.utf8)
    var receiver = parties.receiver(keys: LockedKeyStore())
    receiver.observers = [kept]
    let push = try parties.push()
    _ = await receiver.receive(push)
    let text = try folder.text
    #expect(text.contains(try #require(push.text)))
    #expect(text.split(separator: "\n").count == 130)
    #expect(!text.contains(longest[0]))
    #expect(text.contains(longest[127]))
  }
}
