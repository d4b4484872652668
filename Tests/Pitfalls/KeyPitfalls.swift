import Foundation
import Locks
import PushCore
import PushKeys
import PushReceiver
import PushTesting
import TestSupport
import Testing
import UserNotifications

/// Keys that cannot be read yet, that nobody may write, and that were replaced.
@Suite(.hangGuard)
struct KeyPitfalls {
  private let stage = Stage()

  @Test("keys that are locked are not missing: the envelope is kept, and opens after the first unlock")
  func locked() async throws {
    let lock = PhoneLock()
    let enrolments = Mutex(0)
    let kept = KeptEnvelopes(path: stage.folder.path(of: "kept"))
    var receiver = stage.receiver(keys: lock.protect(stage.device))
    receiver.observers += [
      kept, DegradeHook(on: .unknownKey) { _ in enrolments.withLock { $0 += 1 } },
    ]
    let payload = try stage.sealed()
    try await stage.host(receiver).deliver(payload, admitsPlaceholder: true).expectPlaceholder()
    #expect(stage.reasons == [.keyLocked])
    #expect(enrolments.withLock { $0 } == 0)

    lock.unlock()
    var opened: [String] = []
    try await kept.openAll(with: receiver) { opened.append($0.content.body) }
    try await kept.openAll(with: receiver) { opened.append($0.content.body) }
    #expect(opened == [Stage.secret])
  }

  @Test("a receiver that cannot be made for want of keys counts as locked: the app gets the envelope")
  func noReceiver() async throws {
    let host = ExtensionHost(clock: stage.clock) { StagedService { throw KeyStoreError.locked } }
    let payload = try stage.sealed()
    let shown = try await host.deliver(payload, admitsPlaceholder: true)
    shown.expectPlaceholder()
    #expect(shown.content.userInfo["ENCRYPTED_DATA"] as? String == (try envelope(in: payload)))
  }

  /// A folder that holds both parties' keys, as an app has them.
  private func receiverOfKeyFiles(of device: KeySet) throws -> Receiver {
    _ = try stage.folder.make("keys")
    let file = KeyFile(path: stage.folder.path(of: "keys/device.jwks"))
    try file.create(device)
    let senders = PublicKeyFile(path: stage.folder.path(of: "keys/senders.jwks"))
    try Data(stage.backend.publicKeys.encoded()).write(to: URL(fileURLWithPath: senders.path))
    return stage.receiver(keys: file, senders: senders)
  }

  /// What a change of the folder, or of a file in it, would change.
  private func keyFiles() throws -> [String: [String]] {
    try stage.folder.files(in: "keys").reduce(into: [:]) { files, file in
      let path = stage.folder.path(of: "keys/\(file.key)")
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      let values = [
        attributes[.systemFileNumber], attributes[.modificationDate], attributes[.posixPermissions],
      ]
      files[file.key] = [file.value.base64EncodedString()] + values.map { "\($0 ?? "")" }
    }
  }

  @Test("the extension only reads keys, whatever comes: no file is written, and none is new")
  func readOnly() async throws {
    let receiver = try receiverOfKeyFiles(of: stage.device)
    let before = try keyFiles()
    let host = stage.host(receiver)
    #expect(try await host.deliver(stage.sealed()).body == Stage.secret)
    try await host.deliver(Stage().sealed(), admitsPlaceholder: true).expectPlaceholder()
    let late = try stage.sealed()
    stage.advance(days: 31)
    try await host.deliver(late, admitsPlaceholder: true).expectPlaceholder()
    try await stage.host(stage.receiver(keys: LockedKeyStore())).deliver(
      stage.sealed(), admitsPlaceholder: true
    ).expectPlaceholder()
    #expect(stage.reasons == [.unknownKey, .expired, .keyLocked])
    #expect(try keyFiles() == before)
    #expect(before.keys.sorted() == ["device.jwks", "senders.jwks"])
  }

  @Test("without a key file none is made")
  func nothingMade() async throws {
    let path = try stage.folder.make("keys") + "/device.jwks"
    let host = stage.host(stage.receiver(keys: KeyFile(path: path)))
    try await host.deliver(stage.sealed(), admitsPlaceholder: true).expectPlaceholder()
    #expect(stage.reasons == [.unknownKey])
    #expect(stage.folder.files(in: "keys").isEmpty)
  }

  @Test("what was sealed before a rotation opens for the 30 days that APNs may hold it, and not after")
  func rotation() async throws {
    let payload = try stage.sealed()
    var editor = KeySetEditor(stage.device)
    try editor.rotate(at: Stage.start)
    let end = Stage.start.advanced(by: .seconds(30 * 86_400))
    #expect(editor.prune(at: end).isEmpty)
    stage.advance(days: 30)
    #expect(try await stage.host(stage.receiver(keys: editor.keySet)).deliver(payload).body == Stage.secret)
    stage.clock.advance(by: .seconds(1))
    try await stage.host(stage.receiver(keys: editor.keySet)).deliver(payload, admitsPlaceholder: true)
      .expectPlaceholder()
    #expect(stage.reasons == [.unknownKey])
  }

  @Test("a key that is kept for longer does not make a message live longer")
  func longGrace() async throws {
    let payload = try stage.sealed()
    var editor = KeySetEditor(stage.device)
    try editor.rotate(grace: .seconds(90 * 86_400), at: Stage.start)
    stage.advance(days: 31)
    try await stage.host(stage.receiver(keys: editor.keySet)).deliver(payload, admitsPlaceholder: true)
      .expectPlaceholder()
    #expect(stage.reasons == [.expired])
  }

  @Test("a grace that is shorter than APNs holds a push is refused")
  func shortGrace() {
    var editor = KeySetEditor(stage.device)
    #expect(throws: KeySetError.graceTooShort) {
      try editor.rotate(grace: .seconds(30 * 86_400 - 1), at: Stage.start)
    }
  }

  @Test("what a sender signed before its rotation is still its own 30 days after")
  func senderRotation() async throws {
    let payload = try stage.sealed()
    var editor = KeySetEditor(stage.backend)
    try editor.rotate(again: true, at: Stage.start)
    stage.advance(days: 30)
    let host = stage.host(stage.receiver(senders: try editor.keySet.publicKeys))
    #expect(try await host.deliver(payload).body == Stage.secret)
  }
}
