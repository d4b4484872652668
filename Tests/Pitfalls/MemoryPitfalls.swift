import Foundation
import Locks
import PushAttachments
import PushCore
import PushKeys
import PushReceiver
import PushTesting
import TestSupport
import Testing
import UserNotifications

/// The system kills an extension that needs more than 24 MB: nothing is in memory whole, and everything has a limit.
@Suite(.hangGuard)
struct MemoryPitfalls {
  private let stage = Stage()

  /// A phone that shows the attachments of a server; the files that it shows go with it.
  private func host(_ server: BlobServer) -> ExtensionHost {
    let step = EnrichmentStep.attachments(from: server, into: stage.folder.path(of: "attachments"))
    return stage.host(stage.receiver(steps: [step]))
  }

  @Test("an attachment over its limit is refused before a byte of it is fetched")
  func tooLargeToFetch() async throws {
    let server = BlobServer()
    var descriptor = try server.add([1, 2, 3]).json()
    descriptor["size"] = 60_000_000
    let member: JSONObject = ["v": 1, "attachments": .array([.object(descriptor)])]
    let content: JSONObject = ["aps": ["alert": ["body": "text"]], "sealed-push": .object(member)]
    let payload = try stage.sealed(plaintext: stage.plaintext(content))
    let shown = try await host(server).deliver(payload)
    #expect(shown.body == "text")
    #expect(shown.content.attachments.isEmpty)
    #expect(server.pieceCount == 0)
  }

  @Test("a server that does not stop is stopped, as soon as it gives more than was announced")
  func tooLongToFetch() async throws {
    let server = BlobServer()
    let descriptor = try server.add([UInt8](repeating: 7, count: 100_000), .endless)
    let shown = try await host(server).deliver(stage.sealed(attachments: [descriptor]))
    #expect(shown.body == Stage.secret)
    #expect(shown.content.attachments.isEmpty)
    #expect(server.pieceCount <= descriptor.size / BlobServer.pieceSize)
  }

  @Test("an attachment is decrypted into its file as it comes, and at most a record waits in memory")
  func streamed() async throws {
    let most = Mutex(0)
    let folder = stage.folder
    let server = BlobServer { given in
      let written = folder.files(in: "attachments").values.map(\.count).reduce(0, +)
      most.withLock { $0 = max($0, given - written) }
    }
    let picture = [UInt8](repeating: 7, count: 2_000_000)
    let host = host(server)
    let shown = try await host.deliver(stage.sealed(attachments: [server.add(picture)]))
    let attachment = try #require(shown.content.attachments.first)
    #expect(FileManager.default.contents(atPath: attachment.url.path) == Data(picture))
    withExtendedLifetime(host) {}
    // The blob is a little longer than the file, and an unfinished record waits for its rest.
    #expect(most.withLock { $0 } < 70_000)
  }

  @Test("logs, kept envelopes and the memory of repetitions do not grow beyond their limits")
  func bounded() async throws {
    let kept = KeptEnvelopes(path: stage.folder.path(of: "kept"), capacity: 3)
    let log = DiagnosticsLog(path: stage.folder.path(of: "log"), capacity: 3)
    var receiver = stage.receiver(keys: LockedKeyStore())
    receiver.observers = [kept, log]
    let host = stage.host(receiver)
    for index in 0..<5 { _ = try await host.deliver(stage.sealed("text \(index)"), admitsPlaceholder: true) }
    #expect(try log.read().entries.count == 3)
    var texts: [String] = []
    try await kept.openAll(with: stage.receiver()) { texts.append($0.content.body) }
    #expect(texts == ["text 2", "text 3", "text 4"])
  }

  @Test("of the memory of repetitions the oldest go, and are not new again")
  func boundedReplay() async throws {
    let store = FileReplayStore(path: stage.folder.path(of: "seen"), capacity: 3)
    let host = stage.host(stage.receiver(replay: store))
    let payloads = try (0..<5).map { try stage.sealed("text \($0)") }
    for payload in payloads { _ = try await host.deliver(payload) }
    let size = try #require(stage.folder.files()["seen"]?.count)
    _ = try await host.deliver(stage.sealed("one more"))
    #expect(stage.folder.files()["seen"]?.count == size)
    #expect(try await host.deliver(payloads[4]).content.sound == nil)
    #expect(try await host.deliver(payloads[0]).content.sound == nil)
  }
}
