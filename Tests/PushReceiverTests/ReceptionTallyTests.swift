import Foundation
import PushCore
import PushEnrolment
import PushReceiver
import TestSupport
import Testing

/// What a tally has after a receiver has told it about pushes.
@Suite(.hangGuard)
struct ReceptionTallyTests {
  private let parties = Parties()
  private let folder: TemporaryFolder
  private let tally: ReceptionTally

  init() throws {
    folder = try TemporaryFolder()
    tally = ReceptionTally(path: folder.file)
  }

  private func receive(_ push: IncomingPush, isKnown: Bool = true) async {
    var receiver = parties.receiver(keys: isKnown ? nil : KeyRing())
    receiver.observers = [tally]
    _ = await receiver.receive(push)
  }

  @Test("counts what opened, and what did not, by reason")
  func counts() async throws {
    for _ in 1...2 { await receive(try parties.push()) }
    await receive(try parties.push(), isKnown: false)
    await receive(.outer(envelope: nil))
    let counts = try tally.read()
    #expect(counts.opened == 2 && counts.degraded == ["unknown-key": 1, "no-envelope": 1])
    #expect(counts.firstDay == Parties.now.seconds / 86_400)
  }

  @Test("its file has numbers and reasons, and nothing of a message")
  func file() async throws {
    await receive(try parties.push())
    await receive(try parties.push(), isKnown: false)
    let day = Parties.now.seconds / 86_400
    #expect(
      try folder.text == #"{"v":1,"opened":1,"since":\#(day),"degraded":{"unknown-key":1}}"# + "\n")
  }

  @Test("begins anew over a damaged file", arguments: ["", "x", "{}", #"{"v":1}"#, #"{"v":0,"since":1}"#])
  func damaged(text: String) async throws {
    try folder.write(text.utf8)
    #expect(throws: ReceiverFileError.damaged) { try tally.read() }
    await receive(try parties.push())
    #expect(try tally.read().opened == 1)
  }

  @Test("begins anew over a file that is too large")
  func large() async throws {
    try folder.write(repeatElement(UInt8(ascii: " "), count: 4097))
    await receive(try parties.push())
    #expect(try tally.read().opened == 1)
  }

  @Test("leaves the file of a later version alone")
  func later() async throws {
    let text = #"{"v":2,"since":"yesterday"}"#
    try folder.write(text.utf8)
    await receive(try parties.push())
    #expect(try folder.text == text)
    #expect(throws: ReceiverFileError.laterVersion) { try tally.read() }
  }

  @Test("is missing before anything was counted")
  func missing() {
    #expect(throws: ReceiverFileError.missing) { try tally.read() }
  }

  @Test("with every reason at the greatest count, it is still read")
  func most() async throws {
    let reasons = DegradeReason.allCases.map { #""\#($0.rawValue)":\#(ReceptionCounts.maximum)"# }
    let text =
      #"{"v":1,"since":1,"opened":\#(ReceptionCounts.maximum),"degraded":{\#(reasons.joined(separator: ","))}}"#
    try folder.write(text.utf8)
    await receive(try parties.push())
    let counts = try tally.read()
    #expect(counts.opened == ReceptionCounts.maximum)
    // Every reason is one that reports name.
    #expect(Set(counts.degraded.keys) == Set(DegradeReason.allCases.map(\.rawValue)))
  }
}
