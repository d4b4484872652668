import Foundation
import PushCore
import PushFiles
import PushKeys
import PushReceiver
import PushTesting
import TestSupport
import Testing

/// What the notes for a receipt have after a receiver has told them about pushes.
@Suite(.hangGuard)
struct ReceiptNotesTests {
  private let parties = Parties()
  private let folder: TemporaryFolder
  private let notes: ReceiptNotes
  private let id = MessageID.random()

  init() throws {
    folder = try TemporaryFolder()
    notes = ReceiptNotes(path: folder.file)
  }

  private func receive(_ push: IncomingPush, with receiver: Receiver) async -> Reception {
    var receiver = receiver
    receiver.observers = [notes]
    return await receiver.receive(push)
  }

  private func receive(_ ids: [MessageID], at now: UnixTime = Parties.now) async throws {
    let receiver = parties.receiver(at: now)
    for id in ids { _ = await receive(try parties.push(Draft(messageID: id, issuedAt: now)), with: receiver) }
  }

  private var messages: [MessageID] { get throws { try notes.messages(at: Parties.now) } }

  @Test("have the messages that opened, in their order, by ID and time alone")
  func noted() async throws {
    let ids = [id, MessageID.random()]
    try await receive(ids)
    #expect(try messages == ids)
    let note = { (id: MessageID) in #"{"id":"\#(id)","at":\#(Parties.now.seconds)}"# }
    #expect(try folder.text == #"{"v":1,"opened":[\#(ids.map(note).joined(separator: ","))]}"# + "\n")
  }

  @Test("have no placeholder")
  func degraded() async throws {
    let push = try parties.push(Draft(messageID: id))
    let shown = await receive(push, with: parties.receiver(keys: KeyRing()))
    #expect(shown.outcome == .degraded(.unknownKey))
    #expect(try messages.isEmpty)
  }

  @Test("have no message that was shown before, by the extension or by the app")
  func duplicates() async throws {
    let replay = InMemoryReplayStore()
    let receiver = parties.receiver(replay: replay)
    let push = try parties.push(Draft(messageID: id))
    _ = await receive(push, with: receiver)
    try notes.forgetAll()
    _ = await receive(push, with: receiver)
    let seen = MessageID.random()
    try replay.markSeen(seen, at: Parties.now)
    _ = await receive(try parties.push(Draft(messageID: seen)), with: receiver)
    #expect(try messages.isEmpty)
  }

  @Test("have a message once that the receiver could not compare with others")
  func once() async throws {
    try await receive([id, .random()])
    try await receive([id])
    #expect(try messages.count == 2 && messages.last == id)
  }

  @Test("have no message that nobody has signed, because anybody can push those")
  func anonymous() async throws {
    var accepts = AcceptedEnvelopes.signed
    accepts.anonymous = true
    let push = try parties.push(Draft(messageID: id, isSigned: false))
    let shown = await receive(push, with: parties.receiver(accepts: accepts))
    guard case .opened = shown.outcome else { Issue.record("\(shown.outcome)"); return }
    #expect(try messages.isEmpty)
  }

  @Test("are at most 500, the newest, and not older than 30 days")
  func bounds() async throws {
    let ids = (0..<500).map { _ in MessageID.random() }
    let values = ids.map { #"{"id":"\#($0)","at":\#(Parties.now.seconds)}"# }
    try folder.write(#"{"v":1,"opened":[\#(values.joined(separator: ","))]}"#.utf8)
    try await receive([id])
    #expect(try messages == ids.dropFirst() + [id])
    let later = Parties.now.advanced(by: ReceiptNotes.keptTime)
    #expect(try notes.messages(at: later.advanced(by: .seconds(-1))).count == 500)
    #expect(try notes.messages(at: later).isEmpty)
    let last = MessageID.random()
    try await receive([last], at: later)
    #expect(try folder.text.components(separatedBy: #""id""#).count == 2)
  }

  @Test("that a backend has taken are forgotten, but for those that it may not know yet")
  func taken() async throws {
    let (old, new, late) = (id, MessageID.random(), MessageID.random())
    try await receive([old])
    let reported = Parties.now.advanced(by: ReceiptNotes.settlingTime)
    try await receive([new], at: Parties.now.advanced(by: .seconds(1)))
    let report = try notes.messages(at: reported)
    try await receive([late], at: reported)
    try notes.forget(report, reportedAt: reported)
    #expect(try notes.messages(at: reported) == [new, late])
    // The clock was set back since.
    try notes.forget([new, late], reportedAt: Parties.now.advanced(by: .seconds(-9)))
    #expect(try messages.isEmpty)
  }

  @Test("are all forgotten when a person signs out; where there are none, no file is made")
  func forgotten() async throws {
    try notes.forgetAll()
    #expect(folder.bytes(of: "file") == nil)
    try ReceiptNotes(path: folder.path(of: "no/notes")).forgetAll()
    try await receive([id])
    try notes.forgetAll()
    #expect(try messages.isEmpty && !folder.text.contains(id.text))
  }

  @Test(
    "begin anew over a damaged file",
    arguments: ["", "x", "{}", #"{"v":1}"#, #"{"v":1,"opened":[{"id":"1"}]}"#])
  func damaged(text: String) async throws {
    try folder.write(text.utf8)
    #expect(throws: ReceiverFileError.damaged) { try messages }
    try await receive([id])
    #expect(try messages == [id])
  }

  @Test("leave the file of a later version alone")
  func later() async throws {
    let text = #"{"v":2,"opened":"yesterday"}"#
    try folder.write(text.utf8)
    try await receive([id])
    #expect(try folder.text == text)
    #expect(throws: ReceiverFileError.laterVersion) { try messages }
  }

  @Test("hinder no message from being shown if they cannot be written")
  func unwritable() async throws {
    var receiver = parties.receiver()
    receiver.observers = [ReceiptNotes(path: folder.path(of: "no/notes"))]
    let shown = await receiver.receive(try parties.push())
    guard case .opened = shown.outcome else { Issue.record("\(shown.outcome)"); return }
  }
}
