import Foundation
import PushAttachments
import PushCore
import PushKeys
import PushReceiver
import PushTesting
import TestSupport
import Testing
import UserNotifications

/// Nothing of a message is left beside what is shown.
@Suite(.hangGuard)
struct LeakPitfalls {
  private struct NoName: Error, CustomStringConvertible {
    let description: String
  }

  private static let canaries = ["canary-body", "canary-value", "canary-key", "canary-picture", Stage.title]

  private let stage = Stage()
  private let server = BlobServer()

  /// A receiver that writes all that an extension can.
  private func receiver(keys: (any DeviceKeyStore)? = nil) -> Receiver {
    var receiver = stage.receiver(
      keys: keys, replay: FileReplayStore(path: stage.folder.path(of: "seen")),
      steps: [
        EnrichmentStep("contact") { content, _ in throw NoName(description: content.body) },
        .attachments(from: server, into: stage.folder.path(of: "attachments")),
      ])
    receiver.observers.append(KeptEnvelopes(path: stage.folder.path(of: "kept")))
    return receiver
  }

  private func payload(_ attachments: [AttachmentDescriptor] = []) throws -> [UInt8] {
    try stage.sealed("canary-body", attachments: attachments, custom: ["canary-key": "canary-value"])
  }

  private func picture(_ manner: BlobServer.Manner) throws -> AttachmentDescriptor {
    try server.add(
      Array(repeating: Array("canary-picture ".utf8), count: 20_000).joined().map(\.self), manner)
  }

  private func expectNoCanaries(sourceLocation: SourceLocation = #_sourceLocation) {
    for (name, bytes) in stage.folder.files() {
      for canary in Self.canaries {
        #expect(
          bytes.range(of: Data(canary.utf8)) == nil, "\(canary) in \(name)", sourceLocation: sourceLocation)
      }
    }
  }

  @Test("what the extension writes, opened or not, has nothing of a message")
  func files() async throws {
    let shown = try await stage.host(receiver()).deliver(payload())
    #expect(shown.body == "canary-body")
    _ = try await stage.host(receiver(keys: LockedKeyStore())).deliver(payload(), admitsPlaceholder: true)
    _ = try await stage.host(receiver()).deliver(
      stage.payload(carrying: "canary"), admitsPlaceholder: true)
    #expect(stage.folder.files().keys.sorted() == ["kept", "log", "seen"])
    expectNoCanaries()
  }

  @Test("of what did not open the app gets the envelope alone, and nothing of the visible payload")
  func userInfo() async throws {
    var payload = try json(payload())
    payload["chat"] = 42
    let host = stage.host(receiver(keys: LockedKeyStore()))
    let shown = try await host.deliver(payload.encoded(), admitsPlaceholder: true)
    shown.expectPlaceholder()
    #expect(shown.content.userInfo.keys.map { "\($0)" } == ["ENCRYPTED_DATA"])
  }

  @Test("of what opened the app gets the sealed members, without the keys of its attachments")
  func openedUserInfo() async throws {
    let shown = try await stage.host(receiver()).deliver(payload([picture(.whole)]))
    #expect(Set(shown.content.userInfo.keys.map { "\($0)" }) == ["aps", "canary-key"])
  }

  @Test("an attachment that is shown is the system's, under a name with its type, and gone from our folder")
  func shownAttachment() async throws {
    let shown = try await stage.host(receiver()).deliver(payload([picture(.whole)]))
    #expect(shown.content.attachments.map(\.url.pathExtension) == ["jpg"])
    #expect(stage.folder.files(in: "attachments").isEmpty)
    expectNoCanaries()
  }

  @Test(
    "an attachment that does not come whole and right leaves no file",
    arguments: [.damaged, .endless] as [BlobServer.Manner])
  func failedAttachment(_ manner: BlobServer.Manner) async throws {
    let shown = try await stage.host(receiver()).deliver(payload([picture(manner)]))
    #expect(shown.body == "canary-body")
    #expect(shown.content.attachments.isEmpty)
    #expect(FileManager.default.fileExists(atPath: stage.folder.path(of: "attachments")))
    #expect(stage.folder.files(in: "attachments").isEmpty)
  }

  @Test("what a process that was killed has left of an attachment is gone with the next one that comes")
  func killedWhileFetching() async throws {
    let left = try stage.folder.make("attachments") + "/.sealed-push-picture.jpg.0123456789abcdef.tmp"
    try Data("canary-picture".utf8).write(to: URL(fileURLWithPath: left))
    let anHourAgo = Date(timeIntervalSinceNow: -3700)
    try FileManager.default.setAttributes([.modificationDate: anHourAgo], ofItemAtPath: left)
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o700], ofItemAtPath: stage.folder.path(of: "attachments"))
    _ = try await stage.host(receiver()).deliver(payload([picture(.whole)]))
    #expect(stage.folder.files(in: "attachments").isEmpty)
  }
}
