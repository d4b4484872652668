import Foundation
import PushAttachments
import PushCore
import PushKeys
import PushSealer
import PushTesting
import TestSupport
import Testing

/// What an extension takes, in a process of its own, stays below what iOS allows.
@Suite(.hangGuard)
struct MemoryTests {
  /// A third of what iOS allows, in bytes: a debug build takes half of it.
  private static let usual = 8_000_000

  private let tool: Tool
  private let sealer: Sealer
  private let recipient: Recipient

  init() throws {
    tool = try Tool()
    let (device, sender) = (KeySet(generating: .device, at: .now), KeySet(generating: .sender, at: .now))
    try KeyFile(path: tool.path("device.jwks")).create(device)
    try Data(sender.publicKeys.encoded()).write(to: URL(fileURLWithPath: tool.path("senders.jwks")))
    sealer = Sealer(topic: try Topic("com.example.app"), signingKey: try sender.signingKey())
    recipient = try device.publicKeys.recipient()
  }

  private func start(memoryLimit: Int = ExtensionChild.memoryLimit) throws -> ExtensionChild {
    let program = URL(fileURLWithPath: Tool.binary).deletingLastPathComponent()
      .appendingPathComponent("extension-process").path
    return try ExtensionChild(executable: program, arguments: [tool.folder], memoryLimit: memoryLimit)
  }

  @Test("a hundred notifications, one after another")
  func notifications() throws {
    let child = try start()
    for number in 0..<100 {
      let push = try sealer.seal(RemoteNotification(title: "Ada", body: "Message \(number)"), to: recipient)
      #expect(try child.deliver(push.payload) == "Message \(number) +0 first")
    }
    let memory = child.memory
    #expect((1..<Self.usual).contains(memory.peakFootprint))
    #expect((1..<memory.peakResident).contains(memory.privateDirty))
  }

  @Test("a film of 50 MB beside the text")
  func film() throws {
    let size = AttachmentType.mpeg4.limit
    let path = tool.path("film.mp4")
    #expect(FileManager.default.createFile(atPath: path, contents: nil))
    try FileHandle(forWritingTo: URL(fileURLWithPath: path)).truncate(atOffset: UInt64(size))
    var descriptor = try AttachmentFile(path: path).seal(to: tool.path("film.blob"), as: .mpeg4)
    descriptor.url = try AttachmentURL("https://blobs.example.com/film.blob")
    let push = try sealer.seal(
      RemoteNotification(title: "Ada", body: "Look"), attachments: [descriptor], to: recipient)
    let child = try start()
    #expect(try child.deliver(push.payload) == "Look +1 first")
    #expect(child.memory.peakFootprint < Self.usual)
  }

  @Test("a process that takes more than it may is killed, and that is noticed")
  func killed() throws {
    let child = try start(memoryLimit: 1_000_000)
    let push = try sealer.seal(RemoteNotification(title: "Ada", body: "Lunch?"), to: recipient)
    do {
      _ = try child.deliver(push.payload)
      Issue.record("it was not killed")
    } catch .killed(let memory) {
      #expect(memory.peakFootprint > 1_000_000)
    }
  }
}
