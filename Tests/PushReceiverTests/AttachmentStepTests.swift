import Foundation
import Locks
import PushAttachments
import PushCore
import PushReceiver
import PushTesting
import TestSupport
import Testing

/// Attachments come beside the text, never instead of it, and nothing of one that fails is left.
@Suite(.hangGuard)
struct AttachmentStepTests {
  private let parties = Parties()
  private let clock = ManualClock(Parties.now)
  private let notes = Notes()
  private let folder = (try? TemporaryFolder())!
  private let store = BlobStore()

  private var workFolder: String { folder.path(of: "attachments") }

  private func receiver(accepts: AcceptedEnvelopes = .signed) -> Receiver {
    var receiver = parties.receiver(accepts: accepts, clock: clock)
    receiver.steps = [.attachments(from: store, into: workFolder)]
    receiver.observers = [notes]
    return receiver
  }

  private func draft(_ descriptors: [AttachmentDescriptor], isSigned: Bool = true) throws -> Draft {
    let member = try SealedPushMember(attachments: descriptors).json()
    let content: JSONObject = ["aps": ["alert": ["body": "secret"]], "sealed-push": .object(member)]
    var draft = Draft()
    draft.json = String(decoding: content.encoded(), as: UTF8.self)
    draft.isSigned = isSigned
    return draft
  }

  private func receive(_ descriptors: [AttachmentDescriptor]) async throws -> ShownContent {
    await receiver().receive(try parties.push(try draft(descriptors))).content
  }

  private var leftovers: [String] { folder.files(in: "attachments").keys.sorted() }

  @Test("a file that was sealed is shown as it was, under a name with its type's extension")
  func shown() async throws {
    let descriptor = try store.add(BlobStore.picture)
    let reception = await receiver().receive(try parties.push(try draft([descriptor])))
    let attachment = try #require(reception.content.attachments.first)
    #expect(reception.content.body == "secret")
    #expect(attachment.type == .jpeg)
    #expect(attachment.path.hasSuffix(".jpg"))
    #expect(FileManager.default.contents(atPath: attachment.path) == Data(BlobStore.picture))
    #expect(notes.failures.isEmpty)
  }

  @Test("the app does not see the descriptors, which have the keys")
  func hidden() async throws {
    #expect(try await receive([try store.add(BlobStore.picture)]).userInfo["sealed-push"] == nil)
  }

  @Test("several keep their order")
  func several() async throws {
    let descriptors = [try store.add([1]), try store.add([2]), try store.add([3])]
    let content = try await receive(descriptors)
    #expect(
      content.attachments.map { FileManager.default.contents(atPath: $0.path) }
        == [[1], [2], [3]].map { Data($0) })
  }

  @Test("nothing is fetched for an anonymous message")
  func anonymous() async throws {
    let draft = try draft([try store.add(BlobStore.picture)], isSigned: false)
    let content = await receiver(accepts: AcceptedEnvelopes(anonymous: true)).receive(try parties.push(draft))
      .content
    #expect(content.body == "secret")
    #expect(content.attachments.isEmpty)
    #expect(store.fetches == 0)
  }

  @Test("one that fails costs only itself, and leaves nothing", arguments: BlobStore.Fault.allCases)
  func fault(_ fault: BlobStore.Fault) async throws {
    let (bad, good) = (try store.add(BlobStore.picture, fault: fault), try store.add([2]))
    let content = try await receive([bad, good])
    #expect(content.body == "secret")
    #expect(content.attachments.count == 1)
    #expect(notes.failures == ["attachments: \(fault.code)"])
    #expect(leftovers.count == 1)
  }

  @Test("one that hangs costs only itself: the text is shown with those that came")
  func hanging() async throws {
    let recorder = Recorder()
    let (good, bad) = (try store.add([1]), try store.add([2], hangs: true))
    _ = receiver().receive(try parties.push(try draft([good, bad]))) { recorder.record($0) }
    await store.waitForHang()
    clock.advance(by: Receiver.softDeadline)
    await recorder.wait()
    #expect(recorder.receptions.map(\.content.body) == ["secret"])
    #expect(recorder.receptions.first?.content.attachments.count == 1)
  }

  @Test("a file that nobody takes over is removed")
  func removed() async throws {
    do {
      let content = try await receive([try store.add([1])])
      #expect(leftovers.count == 1)
      _ = content
    }
    // Who handed it over holds it for a moment longer.
    try await HangGuard.wait(while: !leftovers.isEmpty)
  }

  @Test("what a killed process left is removed by the next one after an hour, and nothing else is")
  func stale() async throws {
    for name in ["sealed-push-new.jpg", "app.sqlite"] { try folder.make("attachments/\(name)", age: 3500) }
    for name in ["sealed-push-old.jpg", ".sealed-push-x.tmp", "device.jwks"] {
      try folder.make("attachments/\(name)", age: 3700)
    }
    let content = try await receive([try store.add([1])])
    #expect(Set(leftovers).isSuperset(of: ["sealed-push-new.jpg", "app.sqlite", "device.jwks"]))
    #expect(!leftovers.contains("sealed-push-old.jpg"))
    #expect(!leftovers.contains(".sealed-push-x.tmp"))
    #expect(content.attachments.count == 1)
  }

  @Test("a folder that cannot be made costs only the attachment")
  func noFolder() async throws {
    try folder.make("attachments", age: 0)
    let content = try await receive([try store.add([1])])
    #expect(content.body == "secret")
    #expect(content.attachments.isEmpty)
  }
  @Test("a folder that others may write to costs only the attachment")
  func sharedFolder() async throws {
    try folder.make("attachments/app.sqlite", age: 0)
    try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: workFolder)
    let content = try await receive([try store.add([1])])
    #expect(content.body == "secret")
    #expect(content.attachments.isEmpty)
    #expect(leftovers == ["app.sqlite"])
  }
}
