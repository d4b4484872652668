import Foundation
import PushCore
import PushKeys
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

@Suite("Key files")
struct KeyFileTests {
  private let folder: TemporaryFolder
  private let file: KeyFile
  private let set = Kind.x25519.makeSet()

  init() throws {
    folder = try TemporaryFolder()
    file = KeyFile(path: folder.path(of: "keys.json"))
  }

  @Test func loadsWhatItMade() throws {
    try file.create(set)
    #expect(try file.load().records == set.records)
    #expect(try text(file.load()) == text(set))
    #expect(try folder.names == ["keys.json"])
    #expect(try mode(of: file.path) == 0o600)
  }

  @Test func neverMakesAFileOverAnother() throws {
    try folder.write("mine")
    expectFault(.file(.exists)) { try file.create(set) }
    #expect(try String(contentsOfFile: file.path, encoding: .utf8) == "mine")
    #expect(try folder.names == ["keys.json"])
  }

  @Test func neverMakesAFileThroughALink() throws {
    try FileManager.default.createSymbolicLink(
      atPath: file.path, withDestinationPath: folder.path(of: "elsewhere"))
    expectFault(.file(.exists)) { try file.create(set) }
    #expect(try folder.names == ["keys.json"])
  }

  @Test func doesNotLoadWhatIsNotThere() {
    expectFault(.file(.missing)) { try file.load() }
  }

  @Test(arguments: ["", "/nowhere/at/all/keys.json", "keys.json\0", "/etc/hostname/keys.json"])
  func doesNotFindAPath(path: String) {
    expectFault(.file(.missing)) { try KeyFile(path: path).load() }
    expectFault(.folderMissing) { try KeyFile(path: path).create(set) }
  }

  @Test(arguments: [".", "..", "/", "/tmp/", "/tmp"]) func doesNotLoadAFolder(path: String) {
    expectFault(.file(.notRegularFile(.folder))) { try KeyFile(path: path).load() }
  }

  @Test func changesNoLink() throws {
    try folder.write(text(set), to: "real.json")
    try FileManager.default.createSymbolicLink(atPath: file.path, withDestinationPath: "real.json")
    #expect(try file.load().records == set.records)
    expectFault(.file(.notRegularFile(.symbolicLink))) {
      try file.update { $0.prune(at: start) }
    }
  }

  @Test(.hangGuard) func doesNotWaitForAPipe() throws {
    try #require(unsafe mkfifo(file.path, 0o600) == 0)
    expectFault(.file(.notRegularFile(.pipe))) { try file.load() }
  }

  @Test(.hangGuard, arguments: ["/dev/zero", "/dev/null"]) func doesNotLoadADevice(path: String) {
    expectFault(.file(.notRegularFile(.device))) { try KeyFile(path: path).load() }
    expectFault(.file(.notRegularFile(.device))) { try PublicKeyFile(path: path).load() }
  }

  @Test(arguments: [0o640, 0o620, 0o610, 0o604, 0o602, 0o601, 0o644, 0o666, 0o777] as [mode_t])
  func doesNotLoadWhatOthersMayUse(mode: mode_t) throws {
    try folder.write(text(set), mode: mode)
    expectFault(.tooPermissive(mode: UInt32(mode))) { try file.load() }
  }

  @Test(arguments: [0o600, 0o400, 0o700] as [mode_t]) func loadsWhatOnlyItsOwnerMayUse(mode: mode_t) throws {
    try folder.write(text(set), mode: mode)
    #expect(try file.load().records == set.records)
  }

  @Test(arguments: [0o440, 0o540, 0o1440] as [mode_t]) func onlyReadsWhatItsGroupMayRead(mode: mode_t) throws
  {
    try folder.write(text(set), mode: mode)
    #expect(try file.load().records == set.records)
    let secret = try SecretFile(path: file.path).read()
    let count = secret.bytes.count
    #expect(count == text(set).utf8.count)
    expectFault(.tooPermissive(mode: UInt32(mode))) {
      try file.update { $0.prune(at: start) }
    }
    expectFault(.tooPermissive(mode: UInt32(mode))) { try file.checkPassphrase() }
  }

  @Test(arguments: [0o444, 0o404, 0o442, 0o441, 0o460, 0o450, 0o420] as [mode_t])
  func doesNotLoadWhatItsGroupMayChangeOrOthersRead(mode: mode_t) throws {
    try folder.write(text(set), mode: mode)
    expectFault(.tooPermissive(mode: UInt32(mode))) { try file.load() }
  }

  #if canImport(Glibc)
    /// Linux says that this file is empty.
    @Test func doesNotLoadAPartOfAFileThatIsLongerThanTheSystemSays() {
      expectFault(.file(.busy)) { try KeyFile(path: "/proc/self/auxv").load() }
    }
  #endif

  @Test(arguments: [1, 65_535, 65_536, 65_537, 200_000]) func readsADescriptorToItsEnd(size: Int) throws {
    var bytes = Array(text(set).utf8)
    while bytes.count < size { bytes.append(0x20) }
    try folder.write(String(decoding: bytes, as: UTF8.self), to: "stream")
    let file = unsafe open(folder.path(of: "stream"), O_RDONLY)
    #expect(try KeyStream(descriptor: file, named: "a stream").load(with: nil).records == set.records)
  }

  @Test func readsNoMoreFromADescriptorThanAKeyFileHas() throws {
    let (zeros, nothing) = (unsafe open("/dev/zero", O_RDONLY), unsafe open("/dev/null", O_RDONLY))
    expectFault(.file(.tooLarge)) { try KeyStream(descriptor: zeros, named: "zeros").load(with: nil) }
    expectFault(.keySet(.empty)) { try KeyStream(descriptor: nothing, named: "nothing").load(with: nil) }
  }

  @Test(.enabled(if: geteuid() == 0, "only root can give a file away")) func doesNotLoadAnothersFile() throws
  {
    try folder.write(text(set))
    try #require(unsafe chown(file.path, 12345, 12345) == 0)
    expectFault(.wrongOwner) { try file.load() }
  }

  @Test(.enabled(if: geteuid() == 0, "only root can give a folder away")) func doesNotTrustAnothersFolder()
    throws
  {
    try folder.write(text(set))
    try #require(unsafe chown(folder.path, 12345, 12345) == 0)
    let fault = KeyFileFault.file(.folderOfAnotherUser(path: folder.path, owner: 12345))
    expectFault(fault) { try file.load() }
  }

  @Test(.enabled(if: geteuid() != 0, "root may read everything")) func saysWhatIsNotPermitted() throws {
    try folder.write(text(set), mode: 0)
    expectFault(.file(.notPermitted)) { try file.load() }
  }

  @Test(arguments: [0o777, 0o770, 0o702] as [mode_t]) func doesNotTrustAFolderThatOthersWriteTo(mode: mode_t)
    throws
  {
    try folder.write(text(set))
    try setMode(mode, of: folder.path)
    let fault = KeyFileFault.file(.folderWritableByOthers(path: folder.path, mode: UInt32(mode)))
    expectFault(fault) { try file.load() }
    expectFault(fault) { try file.update { $0.prune(at: start) } }
    expectFault(fault) {
      try KeyFile(path: folder.path(of: "new.json")).create(set)
    }
    #expect(try folder.names == ["keys.json"])
  }

  @Test func trustsAStickyFolder() throws {
    try setMode(0o1777, of: folder.path)
    try file.create(set)
    #expect(try file.load().records == set.records)
  }

  @Test func doesNotLoadAnEmptyFile() throws {
    try folder.write("")
    expectFault(.keySet(.empty)) { try file.load() }
  }

  @Test func doesNotLoadAHugeFile() throws {
    try folder.write("")
    try #require(unsafe truncate(file.path, 1 << 30) == 0)
    expectFault(.file(.tooLarge)) { try file.load() }
    expectFault(.file(.tooLarge)) { try PublicKeyFile(path: file.path).load() }
  }

  @Test func saysWhatIsWrongWithTheSet() throws {
    try folder.write(text(set).setting("v", to: "2"))
    expectFault(.keySet(.unsupportedVersion)) { try file.load() }
    expectFault(.keySet(.unsupportedVersion)) { try file.update { $0.prune(at: start) } }
    #expect(try String(contentsOfFile: file.path, encoding: .utf8).hasPrefix(#"{"v":2"#))
  }

  @Test func loadsAPublicSetThroughALink() throws {
    try folder.write(text(set.publicKeys), to: "real.json", mode: 0o644)
    try FileManager.default.createSymbolicLink(atPath: file.path, withDestinationPath: "real.json")
    #expect(try PublicKeyFile(path: file.path).load() == set.publicKeys)
  }

  @Test func doesNotLoadAPrivateSetAsAPublicOne() throws {
    try file.create(set)
    expectFault(.keySet(.privateKeyInPublicSet(index: 0))) {
      try PublicKeyFile(path: file.path).load()
    }
  }
}
