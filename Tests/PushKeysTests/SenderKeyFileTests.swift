import Foundation
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

@Suite("The senders' keys on a device")
struct SenderKeyFileTests {
  private let folder: TemporaryFolder
  private let file: SenderKeyFile
  private let root = SenderSetFault.root
  private let senders = SenderSetFault.senders

  init() throws {
    folder = try TemporaryFolder()
    file = SenderKeyFile(
      path: folder.path(of: "senders.jws"), roots: try root.publicKeys, topic: Signed.topic)
  }

  private var id: KeyID { senders.records[0].id.keyID }

  private func sign(
    _ serial: Int64, _ keys: PublicKeySet? = nil, by root: KeySet? = nil, for topic: Topic = Signed.topic
  ) throws -> String {
    var editor = KeySetEditor(root ?? self.root)
    return try editor.signSenders(keys ?? senders, for: topic, serial: serial, at: start).text
  }

  @discardableResult
  private func accept(_ text: String) throws(SenderKeyFileError) -> Bool {
    try file.accept(Array(text.utf8).span)
  }

  private var contents: String {
    get throws { try String(contentsOfFile: folder.path(of: "senders.jws"), encoding: .utf8) }
  }

  @Test func keepsTheFirst() throws {
    let text = try sign(7)
    #expect(try file.load() == nil)
    #expect(try accept(text))
    #expect(try file.load()?.text == text && contents == text)
    #expect(try folder.names == ["senders.jws"])
  }

  @Test func keepsANewerOne() throws {
    let keys = try KeySet(generating: .sender, at: start).publicKeys
    try accept(sign(7))
    #expect(try accept(sign(8, keys)))
    #expect(try file.load()?.keys == keys)
    #expect(try file.senderKey(for: id, at: start) == nil)
  }

  @Test func changesNothingByTheSame() throws {
    let text = try sign(7)
    try accept(text)
    #expect(try !accept(text))
    #expect(try contents == text)
  }

  @Test func refusesAnOlderOne() throws {
    let text = try sign(7)
    try accept(text)
    #expect(throws: SenderKeyFileError.refused(.olderSerial(last: 7), path: file.path)) {
      try accept(sign(6))
    }
    #expect(try contents == text)
  }

  /// A newer set may remove a key that an older one would bring back, even if one of them has ended.
  @Test func goesByTheSerialWhateverHasEnded() throws {
    var editor = KeySetEditor(root)
    let keys = try KeySet(generating: .sender, at: start).publicKeys
    let old = try editor.signSenders(senders, for: Signed.topic, serial: 7, at: start)
    let ended = try editor.signSenders(
      keys, for: Signed.topic, serial: 8, expiresAt: UnixTime(clamping: 1), at: start)
    try accept(old.text)
    #expect(try accept(ended.text))
    #expect(try file.load()?.keys == keys)
    #expect(try file.senderKey(for: id, at: start) == nil)
    #expect(throws: SenderKeyFileError.refused(.olderSerial(last: 8), path: file.path)) {
      try accept(old.text)
    }
    #expect(try contents == ended.text)
  }

  @Test func refusesAnotherOfTheSameSerial() throws {
    let text = try sign(7)
    try accept(text)
    let other = try sign(7, KeySet(generating: .sender, at: start).publicKeys)
    #expect(throws: SenderKeyFileError.refused(.sameSerial, path: file.path)) { try accept(other) }
    #expect(try contents == text)
  }

  @Test func refusesAnothersAndAnotherApps() throws {
    let text = try sign(7)
    try accept(text)
    #expect(throws: SenderKeyFileError.refused(.unknownSigner, path: file.path)) {
      try accept(sign(8, by: KeySet(generating: .root, at: start)))
    }
    #expect(throws: SenderKeyFileError.refused(.otherTopic, path: file.path)) {
      try accept(sign(8, for: Signed.otherTopic))
    }
    #expect(throws: SenderKeyFileError.refused(.malformedJWS, path: file.path)) { try accept(text + "\n\n") }
    #expect(try contents == text)
  }

  @Test func takesATextAsAFileHasIt() throws {
    let text = try sign(7)
    #expect(try accept(text + "\n"))
    #expect(try contents == text)
    #expect(throws: SenderKeyFileError.refused(.malformedJWS, path: file.path)) { try accept("") }
  }

  @Test func beginsWithTheSetThatIsBuiltIn() throws {
    let (shipped, newer) = (try sign(7), try sign(8))
    let roots = try root.publicKeys
    let file = SenderKeyFile(
      path: folder.path(of: "senders.jws"), roots: roots, topic: Signed.topic,
      shipped: try SenderKeySet(shipped, roots: roots))
    #expect(try file.load()?.serial == 7)
    #expect(try file.senderKey(for: id, at: start) != nil)
    let older = Array(try sign(6).utf8)
    #expect(throws: SenderKeyFileError.refused(.olderSerial(last: 7), path: file.path)) {
      try file.accept(older.span)
    }
    #expect(try accept(newer))
    #expect(try file.load()?.serial == 8)
  }

  /// The extension, which has no set built in, finds the set even if the backend's set is the one that shipped with the
  /// app.
  @Test func keepsTheSetThatIsBuiltIn() throws {
    let (shipped, roots) = (try sign(7), try root.publicKeys)
    let app = SenderKeyFile(
      path: folder.path(of: "senders.jws"), roots: roots, topic: Signed.topic,
      shipped: try SenderKeySet(shipped, roots: roots))
    #expect(try file.load() == nil)
    #expect(try app.accept(Array(shipped.utf8).span))
    #expect(try !app.accept(Array(shipped.utf8).span))
    #expect(try file.load()?.serial == 7)
    #expect(throws: SenderKeyFileError.refused(.olderSerial(last: 7), path: file.path)) {
      try app.accept(Array(sign(6).utf8).span)
    }
  }

  /// The old root is no longer pinned, so the new root's serials may start anywhere.
  @Test func takesALowerSerialAfterARootIsNoLongerPinned() throws {
    let (old, text) = (KeySet(generating: .root, at: start), try sign(7))
    try folder.write(sign(99, by: old), to: "senders.jws")
    #expect(try file.load() == nil)
    #expect(try file.senderKey(for: id, at: start) == nil)
    #expect(try accept(text))
    #expect(try file.load()?.serial == 7)
  }

  @Test func goesOnFromOnePinnedRootToTheOther() throws {
    let other = KeySet(generating: .root, at: start)
    let keys = try [other, root].flatMap { try keyTexts(text($0.publicKeys)) }
    let both = SenderKeyFile(
      path: folder.path(of: "senders.jws"),
      roots: try parsePublic(#"{"role":"root","keys":[\#(keys.joined(separator: ","))]}"#),
      topic: Signed.topic)
    try both.accept(Array(sign(7).utf8).span)
    #expect(throws: SenderKeyFileError.refused(.olderSerial(last: 7), path: file.path)) {
      try both.accept(Array(sign(6, by: other).utf8).span)
    }
    #expect(try both.accept(Array(sign(8, by: other).utf8).span))
  }

  @Test(arguments: ["", "x", "a.b.c", "\n"]) func countsADamagedOneAsNone(damaged: String) throws {
    try folder.write(damaged, to: "senders.jws")
    let text = try sign(7)
    #expect(throws: SenderKeyFileError.refused(.malformedJWS, path: file.path)) { try file.load() }
    #expect(throws: KeyStoreError.unavailable) { try file.senderKey(for: id, at: start) }
    #expect(try accept(text))
    #expect(try contents == text)
  }

  @Test func countsOneThatIsTooLargeAsNone() throws {
    try folder.write(String(repeating: "x", count: 65_537), to: "senders.jws")
    let text = try sign(7)
    #expect(throws: KeyStoreError.unavailable) { try file.senderKey(for: id, at: start) }
    #expect(try accept(text))
    #expect(try contents == text)
  }

  @Test func isAStore() throws {
    #expect(try file.senderKey(for: id, at: start) == nil)
    try accept(sign(7))
    #expect(try file.senderKey(for: id, at: start)?.publicKey == senders.records[0].publicKey)
    #expect(try file.senderKey(for: root.records[0].id.keyID, at: start) == nil)
  }

  @Test func isNothingForAnotherApp() throws {
    try accept(sign(7))
    let other = SenderKeyFile(
      path: folder.path(of: "senders.jws"), roots: try root.publicKeys, topic: Signed.otherTopic)
    #expect(throws: KeyStoreError.unavailable) { try other.senderKey(for: id, at: start) }
    #expect(throws: SenderKeyFileError.refused(.otherTopic, path: file.path)) { try other.load() }
  }

  @Test func hasNoKeyInAFolderThatIsNotThere() throws {
    let file = SenderKeyFile(
      path: folder.path(of: "none/senders.jws"), roots: try root.publicKeys, topic: Signed.topic)
    #expect(throws: SenderKeyFileError.file(.missing, path: file.path)) {
      try file.accept(Array(sign(7).utf8).span)
    }
    #expect(throws: SenderKeyFileError.file(.missing, path: file.path)) { try file.load() }
    #expect(try file.senderKey(for: id, at: start) == nil)
  }

  @Test func isNoFolderAndNoLink() throws {
    try FileManager.default.createSymbolicLink(
      atPath: folder.path(of: "senders.jws"), withDestinationPath: folder.path(of: "elsewhere"))
    #expect(throws: SenderKeyFileError.file(.notRegularFile(.symbolicLink), path: file.path)) {
      try accept(sign(7))
    }
    #expect(throws: KeyStoreError.unavailable) { try file.senderKey(for: id, at: start) }
    #expect(try folder.names == ["senders.jws"])
  }

  @Test(.enabled(if: geteuid() != 0, "root may read everything")) func isLockedIfTheSystemRefuses() throws {
    try accept(sign(7))
    try setMode(0, of: folder.path(of: "senders.jws"))
    #expect(throws: KeyStoreError.locked) { try file.senderKey(for: id, at: start) }
    #expect(throws: SenderKeyFileError.file(.notPermitted, path: file.path)) { try file.load() }
    #expect(throws: SenderKeyFileError.file(.notPermitted, path: file.path)) { try accept(sign(8)) }
  }

  @Test(.hangGuard) func keepsTheNewestOfEightThreads() throws {
    let texts = try (1...8).map { try sign(Int64($0)) }
    let threads = texts.map { text in
      WorkerThread { [file] in
        do throws(SenderKeyFileError) {
          return try file.accept(Array(text.utf8).span)
        } catch {
          guard case .refused(.olderSerial, _) = error else { return false }
          return true
        }
      }
    }
    #expect(threads.map { $0.result() } == Array(repeating: true, count: 8))
    #expect(try file.load()?.serial == 8)
  }
}
