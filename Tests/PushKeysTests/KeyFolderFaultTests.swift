import PushCore
import PushEnrolment
import PushKeys
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

@Suite("An app's folder of keys as a store, and what is wrong with it")
struct KeyFolderFaultTests {
  private let folder: TemporaryFolder
  private let store: KeyFolder

  init() throws {
    folder = try TemporaryFolder()
    store = KeyFolder(path: folder.path)
  }

  private func enrol(at now: UnixTime = start) throws -> Enrolment {
    try store.enrol(address: Signed.address, for: Signed.audience, at: now)
  }

  @Test func isLeftAloneByAChangeThatThrows() throws {
    expectFault(.keySet(.graceTooShort)) {
      try store.update(orMake: .x25519ChaChaPoly, at: start) { (_) throws(KeySetError) in throw .graceTooShort
      }
    }
    #expect(try folder.names.isEmpty)
    _ = try enrol()
    let before = try [store.device, store.identity].map { try text($0.load()) }
    expectFault(.keySet(.graceTooShort)) {
      try store.update(orMake: .x25519ChaChaPoly, at: start) { (keys) throws(KeySetError) in
        _ = try keys.enrol(address: Signed.address, for: Signed.audience, at: start)
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
    expectFault(.keySet(.wrongRole)) { try enrol() }
    #expect(try folder.names == ["identity.jwks"])
    try folder.write(text(KeySet(generating: .sender, at: start)), to: "device.jwks")
    expectFault(.keySet(.wrongRole)) { try enrol() }
  }

  @Test func doesNotUseWhatOthersMayRead() throws {
    _ = try enrol()
    try setMode(0o644, of: store.identity.path)
    expectFault(.tooPermissive(mode: 0o644)) { try enrol() }
  }

  @Test func makesAnIdentityAloneForAFileThatIsThere() throws {
    let enrol = { (keys: inout DeviceKeys) throws(KeySetError) in
      try keys.enrol(address: Signed.address, for: Signed.audience, at: start)
    }
    // A folder that was removed is not made again.
    let gone = KeyFolder(path: folder.path(of: "gone"))
    expectFault(.file(.missing)) { try gone.update(orMakeIdentityAt: start, enrol) }
    expectFault(.file(.missing)) { try store.update(orMakeIdentityAt: start, enrol) }
    #expect(try folder.names.isEmpty)
    let keys = Kind.x25519.makeSet()
    try store.device.create(keys)
    _ = try store.update(orMakeIdentityAt: start, enrol)
    #expect(try store.device.load().records == keys.records && store.identity.load().role == .identity)
  }

  @Test func isMadeInAFolderThatIsThere() throws {
    let store = KeyFolder(path: folder.path(of: "none/app"))
    expectFault(.folderMissing) { try store.enrol(address: Signed.address, for: Signed.audience, at: start) }
    #expect(try folder.names.isEmpty)
  }

  @Test(.enabled(if: geteuid() == 0, "only root can give a folder away"))
  func isNotMadeWhereOthersCouldReplaceIt() throws {
    try #require(unsafe chown(folder.path, 12345, 12345) == 0)
    let store = KeyFolder(path: folder.path(of: "app"))
    expectFault(.file(.folderOfAnotherUser(path: folder.path, owner: 12345))) {
      try store.enrol(address: Signed.address, for: Signed.audience, at: start)
    }
    #expect(try folder.names.isEmpty)
  }

  @Test func saysWhichFileIsWrong() throws {
    _ = try enrol()
    for file in [store.device, store.identity] {
      try setMode(0o644, of: file.path)
      #expect(throws: KeyFileError(.tooPermissive(mode: 0o644), path: file.path)) { try enrol() }
      try setMode(0o600, of: file.path)
    }
    try folder.write(text(KeySet(generating: .root, at: start)), to: "identity.jwks")
    #expect(throws: KeyFileError(.keySet(.wrongRole), path: store.identity.path)) { try enrol() }
    try folder.write(text(KeySet(generating: .identity, at: start)), to: "identity.jwks")
    try folder.write(text(KeySet(generating: .sender, at: start)), to: "device.jwks")
    #expect(throws: KeyFileError(.keySet(.wrongRole), path: store.device.path)) { try enrol() }
  }

  @Test func removesWhatAKilledProcessLeft() throws {
    for name in ["device", "identity"] { try folder.write("half", to: ".\(name).jwks.0123456789abcdef.tmp") }
    _ = try enrol()
    #expect(try folder.names == ["device.jwks", "identity.jwks"])
  }

  @Test(.needsArgon2id) func keepsBothBehindAPassphrase() throws {
    let store = KeyFolder(path: folder.path, passphrase: passphrase())
    let enrolment = try store.enrol(address: Signed.address, for: Signed.audience, at: start)
    expectFault(.passphraseNeeded) { try self.store.device.load() }
    expectFault(.passphraseNeeded) { try self.store.identity.load() }
    #expect(try store.identity.load().serial == enrolment.serial)
  }
}
