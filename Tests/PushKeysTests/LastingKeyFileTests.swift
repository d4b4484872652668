import PushEnrolment
import Foundation
import PushCrypto
import PushCore
import PushKeys
import TestSupport
import Testing

@Suite("Files of identities and roots")
struct LastingKeyFileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func file(_ passphrase: Passphrase?) -> KeyFile {
    EncryptedFile.cheap(folder.path(of: "root.jwks"), passphrase)
  }

  @Test(arguments: [nil, "correct horse"], LastingKeyTests.roles) func areKept(text: String?, role: KeyRole)
    throws
  {
    let set = KeySet(generating: role, at: start)
    let file = file(text.map { passphrase($0) })
    guard text == nil || Argon2id.isAvailable else {
      // CryptoKit lacks the algorithms.
      expectFault(.encryptionUnavailable) { try file.create(set) }
      #expect(try folder.names.isEmpty)
      return
    }
    try file.create(set)
    let read = try file.load()
    #expect(read.records == set.records && read.role == role && read.serial == 0)
    let contents = try String(contentsOfFile: file.path, encoding: .utf8)
    #expect(contents.contains("serial") == (text == nil))
  }

  @Test(arguments: [nil, "correct horse"]) func areWrittenWhenTheSerialAloneChanges(text: String?) throws {
    let file = file(text.map { passphrase($0) })
    let set = KeySet(generating: .root, at: start)
    guard text == nil || Argon2id.isAvailable else {
      // CryptoKit lacks the algorithms.
      expectFault(.encryptionUnavailable) { try file.create(set) }
      return
    }
    try file.create(set)
    let senders = try KeySet(generating: .sender, at: start).publicKeys
    let signed = try file.update { (editor) throws(KeySetError) in
      try editor.signSenders(senders, for: Signed.topic, at: start)
    }
    #expect(signed.serial == start.seconds)
    #expect(try file.load().serial == start.seconds)
  }

  @Test func areLeftAloneByARefusedChange() throws {
    let file = file(nil)
    try file.create(KeySet(generating: .root, at: start))
    let before = try String(contentsOfFile: file.path, encoding: .utf8)
    expectFault(.keySet(.wrongRole)) {
      try file.update { (editor) throws(KeySetError) in try editor.rotate(at: start) }
    }
    #expect(try String(contentsOfFile: file.path, encoding: .utf8) == before)
  }

  @Test func aRootsPublicHalfIsReadFromAFile() throws {
    let root = try KeySet(generating: .root, at: start).publicKeys
    try folder.write(text(root), to: "root.pub.jwks", mode: 0o644)
    let file = PublicKeyFile(path: folder.path(of: "root.pub.jwks"))
    #expect(try file.load() == root && file.load().role == .root)
    #expect(try file.senderKey(for: root.records[0].id.keyID, at: start) == nil)
  }
}
