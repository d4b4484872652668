import PushCore
import PushKeys
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

@Suite("Key files as stores")
struct KeyFileStoreTests {
  private let folder: TemporaryFolder
  private let file: KeyFile
  private let publicFile: PublicKeyFile
  private let devices = Kind.x25519.makeSet()
  private let senders = (try? Kind.sender.makeSet().publicKeys)!

  private var id: KeyID { devices.records[0].id.keyID }
  private var senderID: KeyID { senders.records[0].id.keyID }

  init() throws {
    folder = try TemporaryFolder()
    file = KeyFile(path: folder.path(of: "keys.json"))
    publicFile = PublicKeyFile(path: folder.path(of: "senders.json"))
  }

  @Test func findsADevicesKey() throws {
    try file.create(devices)
    let key = try #require(try file.deviceKey(for: id, at: start))
    #expect(try key.opens(to: devices.publicKeys.recipient()))
  }

  @Test func findsASendersKey() throws {
    try folder.write(text(senders), to: "senders.json")
    #expect(try publicFile.senderKey(for: senderID, at: start)?.publicKey == senders.records[0].publicKey)
  }

  @Test func doesNotFindAnotherKey() throws {
    try file.create(devices)
    try folder.write(text(senders), to: "senders.json")
    #expect(try file.deviceKey(for: senderID, at: start) == nil)
    #expect(try publicFile.senderKey(for: id, at: start) == nil)
  }

  @Test func seesAChangeAtOnce() throws {
    try file.create(devices)
    _ = try file.deviceKey(for: id, at: start)
    try file.update { (editor) throws(KeySetError) in try editor.rotate(at: start) }
    let new = try file.load().records[1].id.keyID
    #expect(try file.deviceKey(for: new, at: start) != nil)
    #expect(try file.deviceKey(for: id, at: start) != nil)
    #expect(try file.deviceKey(for: id, at: start.advanced(by: .seconds(month + 1))) == nil)
  }

  @Test func hasNoKeyWithoutAFile() throws {
    #expect(try file.deviceKey(for: id, at: start) == nil)
    #expect(try publicFile.senderKey(for: senderID, at: start) == nil)
    #expect(try KeyFile(path: folder.path(of: "none/keys.json")).deviceKey(for: id, at: start) == nil)
  }

  @Test func isUnavailableIfOthersMayReadIt() throws {
    try folder.write(text(devices), mode: 0o644)
    #expect(throws: KeyStoreError.unavailable) { try file.deviceKey(for: id, at: start) }
  }

  @Test(arguments: ["", "{", #"{"v":2,"keys":[]}"#]) func isUnavailableIfItIsNoSet(text: String) throws {
    try folder.write(text)
    try folder.write(text, to: "senders.json")
    #expect(throws: KeyStoreError.unavailable) { try file.deviceKey(for: id, at: start) }
    #expect(throws: KeyStoreError.unavailable) { try publicFile.senderKey(for: senderID, at: start) }
  }

  /// Root may read everything.
  @Test(.enabled(if: geteuid() != 0)) func isLockedIfTheSystemRefuses() throws {
    try folder.write(text(devices), mode: 0)
    #expect(throws: KeyStoreError.locked) { try file.deviceKey(for: id, at: start) }
  }

  @Test func takesTheSystemsRefusalForALock() {
    #expect(KeyStoreError(KeyFileError(.file(.notPermitted), path: "f")) == .locked)
  }

  @Test func takesAMissingFileForAMissingKey() {
    #expect(KeyStoreError(KeyFileError(.file(.missing), path: "f")) == nil)
  }

  @Test(arguments: [
    KeyFileFault.tooPermissive(mode: 0o644), .wrongOwner,
    .file(.folderWritableByOthers(path: "/", mode: 0o777)),
    .file(.linkOfAnotherUser(path: "/l", owner: 1)), .file(.tooLarge),
    .file(.busy), .file(.lockNotOwn(name: "lock")), .folderMissing,
    .passphraseNeeded, .wrongPassphrase, .damaged, .unreasonableParameters, .notEnoughMemory,
    .encryptionUnavailable, .keySet(.empty), .file(.system(call: "open", errno: EMFILE)),
  ]) func takesAnythingElseForAFault(fault: KeyFileFault) {
    #expect(KeyStoreError(KeyFileError(fault, path: "f")) == .unavailable)
  }
}
