import Foundation
import PushCrypto
import PushCore
import PushKeys
import TestSupport
import Testing

@Suite("A key file behind a passphrase", .needsArgon2id, .hangGuard)
struct EncryptedKeyFileTests {
  private let encrypted: EncryptedFile

  init() throws { encrypted = try EncryptedFile() }

  private var file: KeyFile { encrypted.file }
  private var secret: String { text(encrypted.set).member("d") }

  @Test(arguments: Kind.allCases) func opensWithIt(kind: Kind) throws {
    let set = kind.makeSet()
    let file = EncryptedFile.cheap(encrypted.folder.path(of: "other.json"), passphrase())
    try file.create(set)
    #expect(text(try file.load()) == text(set))
    #expect(try mode(of: file.path) == 0o600)
    let contents = try String(contentsOfFile: file.path, encoding: .utf8)
    #expect(!contents.contains(text(set).member(set.role == .shared ? "k" : "d")))
    #expect(!contents.contains(#""kty""#))
  }

  @Test func isWrittenAsItIsDocumented() throws {
    let pattern =
      #/
      {"v":1,"encrypted":{"kdf":"argon2id","passes":1,"memory":8192,"salt":"[-_A-Za-z0-9]{22}",
      "cipher":"xchacha20-poly1305","nonce":"[-_A-Za-z0-9]{32}"},"ciphertext":"[-_A-Za-z0-9]+",
      "sha256":"[-_A-Za-z0-9]{43}"}\n
      /#
    #expect(try encrypted.contents.wholeMatch(of: pattern) != nil)
  }

  @Test func costsAGuesserMuch() throws {
    let file = KeyFile(path: encrypted.folder.path(of: "other.json"), passphrase: passphrase())
    try file.create(encrypted.set)
    let contents = try String(contentsOfFile: file.path, encoding: .utf8)
    #expect(contents.contains(#""passes":3,"memory":268435456,"#))
    #expect(try file.load().records == encrypted.set.records)
  }

  @Test func needsThePassphrase() {
    expectFault(.passphraseNeeded) { try encrypted.other(nil).load() }
    expectFault(.passphraseNeeded) { try encrypted.other(nil).update { $0.prune(at: start) } }
    expectFault(.passphraseNeeded) {
      try encrypted.other(nil).setPassphrase(passphrase("another"))
    }
  }

  @Test(arguments: ["correct hors", "correct horse ", "Correct horse", "x"])
  func doesNotOpenWithAnother(text: String) throws {
    let before = try encrypted.contents
    let other = encrypted.other(text)
    expectFault(.wrongPassphrase) { try other.load() }
    expectFault(.wrongPassphrase) { try other.update { $0.prune(at: start) } }
    expectFault(.wrongPassphrase) { try other.setPassphrase(nil) }
    #expect(try encrypted.contents == before)
  }

  @Test func staysEncryptedWhenItChanges() throws {
    let before = try encrypted.contents
    try file.update { (editor) throws(KeySetError) in try editor.rotate(at: start) }
    let after = try encrypted.contents
    #expect(try file.load().records.map(\.life.status) == [.accepted, .active])
    expectFault(.passphraseNeeded) { try encrypted.other(nil).load() }
    #expect(after.member("salt") == before.member("salt"))
    #expect(after.member("nonce") != before.member("nonce"))
  }

  @Test func isLeftAloneIfNothingChanges() throws {
    let before = try encrypted.contents
    #expect(try file.update { $0.prune(at: start) }.isEmpty)
    #expect(try encrypted.contents == before)
  }

  @Test func takesAnotherPassphrase() throws {
    let before = try encrypted.contents
    try file.setPassphrase(passphrase("another"))
    expectFault(.wrongPassphrase) { try file.load() }
    #expect(text(try encrypted.other("another").load()) == text(encrypted.set))
    #expect(try encrypted.contents.member("salt") != before.member("salt"))
    #expect(try encrypted.folder.names == ["keys.json"])
  }

  @Test func isEncryptedNoMoreWithoutOne() throws {
    try file.setPassphrase(nil)
    #expect(try encrypted.contents == text(encrypted.set))
    #expect(try mode(of: file.path) == 0o600)
    #expect(text(try encrypted.other(nil).load()) == text(encrypted.set))
  }

  @Test func aPlainFileIsRefusedUntilItIsGivenOne() throws {
    try file.setPassphrase(nil)
    let before = try encrypted.contents
    expectFault(.notEncrypted) { try file.load() }
    expectFault(.notEncrypted) { try file.update { $0.prune(at: start) } }
    expectFault(.notEncrypted) { try file.rehearse { $0.prune(at: start) } }
    #expect(throws: KeyStoreError.unavailable) {
      try file.deviceKey(for: encrypted.set.records[0].id.keyID, at: start)
    }
    #expect(try encrypted.contents == before && before.contains(secret))
    try file.checkPassphrase()
    try file.setPassphrase(passphrase())
    #expect(try !encrypted.contents.contains(secret))
    #expect(text(try file.load()) == text(encrypted.set))
  }

  @Test func isAStoreOnlyWithIt() throws {
    let id = encrypted.set.records[0].id.keyID
    #expect(try file.deviceKey(for: id, at: start) != nil)
    for text in [nil, "another"] {
      #expect(throws: KeyStoreError.unavailable) {
        try encrypted.other(text).deviceKey(for: id, at: start)
      }
    }
  }

  @Test func isNoPublicSet() {
    expectFault(.keySet(.privateKeyInPublicSet(index: 0))) {
      try PublicKeyFile(path: file.path).load()
    }
  }

  @Test func saysNothingOfThePassphrase() {
    let file = encrypted.other("tr0ub4dor")
    var dumped = ""
    dump(file, to: &dumped)
    let printed = "\(file) \(String(reflecting: file)) \(passphrase("tr0ub4dor")) \(dumped)"
    let bytes = Array("tr0ub4dor".utf8)
    let hex = bytes.map { String($0, radix: 16) }.joined()
    for canary in ["tr0ub", "\(bytes[0]), \(bytes[1])", hex, Data(bytes).base64EncodedString()] {
      #expect(!printed.contains(canary))
    }
    #expect(Mirror(reflecting: passphrase()).children.isEmpty)
  }
}
