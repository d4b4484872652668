import PushEnvelope
import PushKeys
import TestSupport
import Testing

@Suite("An app's folder of keys as a store, and what is wrong with it")
struct KeyFolderFaultTests {
  private let folder: TemporaryFolder
  private let store: KeyFolder

  init() throws {
    folder = try TemporaryFolder()
    store = KeyFolder(path: folder.path)
  }

  private func enrol(at now: UnixTime = start) throws -> Enrolment {
    try store.enrol(at: Signed.address, for: Signed.audience, now: now)
  }

  @Test func isLeftAloneByAChangeThatThrows() throws {
    #expect(throws: KeyFileError.keySet(.graceTooShort)) {
      try store.update(orMake: .x25519ChaChaPoly, at: start) { (_) throws(KeySetError) in throw .graceTooShort
      }
    }
    #expect(try folder.names.isEmpty)
    _ = try enrol()
    let before = try [store.device, store.identity].map { try text($0.load()) }
    #expect(throws: KeyFileError.keySet(.graceTooShort)) {
      try store.update(orMake: .x25519ChaChaPoly, at: start) { (keys) throws(KeySetError) in
        _ = try keys.enrol(at: Signed.address, for: Signed.audience, now: start)
        try keys.edit { (editor) throws(KeySetError) in _ = try editor.rotate(at: start) }
        throw .graceTooShort
      }
    }
    #expect(try [store.device, store.identity].map { try text($0.load()) } == before)
  }

  @Test func isAStoreOfTheDevicesKeys() throws {
    let enrolment = try enrol()
    let recipient = try enrolment.keys.recipient(at: start)
    let key = try #require(try store.deviceKey(for: recipient.thumbprint.keyID, at: start))
    #expect(try key.opens(to: recipient))
    #expect(try store.deviceKey(for: enrolment.identity.thumbprint.keyID, at: start) == nil)
  }

  @Test func hasNoKeyBeforeTheFirstEnrolment() throws {
    #expect(try store.deviceKey(for: Kind.x25519.makeSet().records[0].id.keyID, at: start) == nil)
    #expect(try folder.names.isEmpty)
  }

  @Test func takesNoOtherSetForItsOwn() throws {
    try folder.write(text(KeySet(generating: .root, at: start)), to: "identity.jwks")
    #expect(throws: KeyFileError.keySet(.wrongRole)) { try enrol() }
    #expect(try folder.names == ["identity.jwks"])
    try folder.write(text(KeySet(generating: .sender, at: start)), to: "device.jwks")
    #expect(throws: KeyFileError.keySet(.wrongRole)) { try enrol() }
  }

  @Test func doesNotUseWhatOthersMayRead() throws {
    _ = try enrol()
    try setMode(0o644, of: store.identity.path)
    #expect(throws: KeyFileError.tooPermissive(mode: 0o644)) { try enrol() }
  }

  @Test func isAFolder() {
    let store = KeyFolder(path: folder.path(of: "none"))
    #expect(throws: KeyFileError.file(.missing)) {
      try store.enrol(at: Signed.address, for: Signed.audience, now: start)
    }
  }

  @Test func removesWhatAKilledProcessLeft() throws {
    for name in ["device", "identity"] { try folder.write("half", to: ".\(name).jwks.0123456789abcdef.tmp") }
    _ = try enrol()
    #expect(try folder.names == ["device.jwks", "identity.jwks"])
  }

  @Test(.needsArgon2id) func keepsBothBehindAPassphrase() throws {
    let store = KeyFolder(path: folder.path, passphrase: passphrase())
    let enrolment = try store.enrol(at: Signed.address, for: Signed.audience, now: start)
    #expect(throws: KeyFileError.passphraseNeeded) { try self.store.device.load() }
    #expect(throws: KeyFileError.passphraseNeeded) { try self.store.identity.load() }
    #expect(try store.identity.load().serial == enrolment.serial)
  }
}
