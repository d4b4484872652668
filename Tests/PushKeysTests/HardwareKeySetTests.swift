import PushCore
import PushCrypto
import PushEnrolment
import PushKeys
import TestSupport
import Testing

/// A device's set whose keys stay in hardware, such as the Secure Enclave.
@Suite("A set of keys in hardware")
struct HardwareKeySetTests {
  private let vault = FakeVault()
  private let store: InMemoryKeyStore

  init() { store = InMemoryKeyStore(in: vault) }

  private func enrol(at now: UnixTime = start) throws -> Enrolment {
    try store.enrol(address: Signed.address, for: Signed.audience, at: now)
  }

  private func key(of enrolment: Enrolment, at now: UnixTime = start) throws -> DeviceKey? {
    store.deviceKey(for: try enrolment.keys.recipient(at: start).thumbprint.keyID, at: now)
  }

  private func parse(_ text: String) throws(KeySetError) -> KeySet {
    try KeySet(parsing: Array(text.utf8).span, vault: vault)
  }

  @Test("it has one key, for p256-aesgcm, and an enrolment hands that one out")
  func first() throws {
    let enrolment = try enrol()
    #expect(enrolment.keys.records.map(\.algorithm) == [.p256])
    #expect(vault.count == 1 && store.suite == .p256AESGCM)
    #expect(try #require(try key(of: enrolment)).opens(to: enrolment.keys.recipient(at: start)))
  }

  @Test("a later enrolment adds no key that is not in hardware")
  func noOther() throws {
    let (first, second) = (try enrol(), try enrol())
    #expect(first.keys == second.keys && vault.count == 1)
  }

  @Test("the key that replaces one is in hardware too, and the one before opens until it has expired")
  func rotation() throws {
    let first = try enrol()
    #expect(try store.rotate(ifOlderThan: .zero, at: start))
    let second = try enrol()
    #expect(vault.count == 2 && second.keys.records.map(\.algorithm) == [.p256])
    #expect(try #require(try key(of: first)).opens(to: first.keys.recipient(at: start)))
    #expect(try #require(try key(of: second)).opens(to: second.keys.recipient(at: start)))
    #expect(try store.confirm(second, at: start))
    let late = start.advanced(by: .seconds(32 * 86_400))
    #expect(try key(of: first, at: late) == nil)
    #expect(try key(of: second, at: late) != nil)
  }

  @Test("a key that takes a revoked one's place is in hardware")
  func revocation() throws {
    var editor = KeySetEditor(try KeySet(generatingIn: vault, at: start))
    let revocation = try editor.revoke(editor.keySet.records[0].id, at: start)
    #expect(vault.count == 2 && revocation.replacement?.algorithm == .p256)
    #expect(editor.keySet.isInHardware)
  }

  @Test("its JWK has a handle in place of the private key, and is read again with the hardware")
  func encoding() throws {
    var editor = KeySetEditor(try KeySet(generatingIn: vault, at: start))
    try editor.rotate(at: start)
    let text = text(editor.keySet)
    #expect(text.member("handle") == Base64URL.encode(FakeVault.handle(0).span))
    #expect(!text.contains(#""d":"#))
    let read = try parse(text)
    #expect(read.records == editor.keySet.records && PushKeysTests.text(read) == text)
    let (id, publicKey) = (read.records[0].id, try #require(read.records[0].publicKey))
    let key = try #require(read.deviceKey(for: id.keyID, at: start))
    let recipient = try #require(Recipient(publicKey))
    #expect(try key.opens(to: recipient))
  }

  @Test("the longest handle is written and read")
  func longHandle() throws {
    let handle = Base64URL.encode([UInt8](repeating: 7, count: 1024).span)
    let long = text(try KeySet(generatingIn: vault, at: start)).setting("handle", to: "\"\(handle)\"")
    #expect(try text(parse(long)) == long)
  }

  @Test("without the hardware, a handle is an unknown member")
  func otherDevice() throws {
    let text = text(try KeySet(generatingIn: vault, at: start))
    #expect(throws: KeySetError.unknownMember(index: 0, member: "handle")) {
      try KeySet(parsing: Array(text.utf8).span)
    }
  }

  @Test("a public set ignores a member with that name")
  func publicSet() throws {
    let set = try KeySet(generatingIn: vault, at: start)
    let withHandle = publicText(set).setting("use", to: #""enc","handle":7"#)
    #expect(try parsePublic(withHandle) == set.publicKeys)
  }

  @Test(
    "a handle that is none is refused",
    arguments: [#""""#, "7", #""AA==""#, "\"\(String(repeating: "A", count: 1367))\""])
  func wrongHandle(handle: String) throws {
    let text = text(try KeySet(generatingIn: vault, at: start)).setting("handle", to: handle)
    #expect(throws: KeySetError.invalidMember(index: 0, member: "handle")) { try parse(text) }
  }

  @Test("a private key beside the handle is refused")
  func both() throws {
    let text = text(try KeySet(generatingIn: vault, at: start))
    let both = text.setting("use", to: #""enc","d":"\#(String(repeating: "A", count: 43))""#)
    #expect(throws: KeySetError.invalidMember(index: 0, member: "d")) { try parse(both) }
  }

  @Test("a key of another algorithm has no handle")
  func otherAlgorithm() throws {
    let text = text(Kind.x25519.makeSet()).setting("d", to: nil).setting("use", to: #""enc","handle":"AAAA""#)
    #expect(throws: KeySetError.invalidMember(index: 0, member: "handle")) { try parse(text) }
  }

  @Test("a software key that is there stays software, and so does the one that replaces it")
  func software() throws {
    let software = Kind.p256.makeSet()
    var editor = KeySetEditor(try parse(text(software)))
    try editor.rotate(at: start)
    #expect(!editor.keySet.isInHardware && vault.count == 0)
  }

  @Test("it is not exported")
  func export() throws {
    let set = try KeySet(generatingIn: vault, at: start)
    #expect(set.privateKey(for: set.records[0].id) == nil)
  }

  @Test("hardware that makes no key says why, and nothing is changed")
  func refusal() throws {
    let first = try enrol()
    vault.refuse(with: "there is no room")
    let error = #expect(throws: KeySetError.self) { try store.rotate(ifOlderThan: .zero, at: start) }
    #expect(error == .hardware("there is no room"))
    #expect("\(KeySetError.hardware("there is no room"))".contains("there is no room"))
    #expect(try enrol().keys == first.keys)
  }

  @Test("a suite that the hardware does not have is refused")
  func suite() {
    #expect(throws: KeySetError.hardware("it holds keys for p256-aesgcm alone")) {
      try store.enrol(
        address: Signed.address, for: Signed.audience, suite: .x25519ChaChaPoly, at: start)
    }
  }
}
