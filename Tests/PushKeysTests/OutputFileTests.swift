import Foundation
import PushFiles
import PushKeys
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

@Suite("Output files and published keys", .hangGuard)
struct OutputFileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func output(_ name: String) -> OutputFile { OutputFile(path: folder.path(of: name)) }

  @Test func nobodyChangesTheKeysWhileTheyArePublished() throws {
    let file = KeyFile(path: try folder.write(text(Kind.sender.makeWholeSet())), patience: .milliseconds(20))
    let statuses = try file.update {
      (editor) throws(KeySetError) in
      try editor.rotate(again: true, at: start)
    } publishing: { (rotation, set) in
      #expect(rotation.added.count == 1 && (try? file.load())?.records == set.records)
      expectFault(.file(.busy)) { try file.update { $0.prune(at: start) } }
      return set.records.map(\.life.status)
    }
    #expect(statuses.contains(.accepted))
    try file.update { $0.prune(at: start) }
  }

  @Test func nothingIsPublishedOfAChangeThatFails() throws {
    let file = KeyFile(path: try folder.write(text(Kind.x25519.makeSet())))
    let other = Kind.x25519.makeSet(seed: 9).records[0].id
    var isPublished = false
    expectFault(.keySet(.noSuchKey)) {
      try file.update {
        (editor) throws(KeySetError) in
        try editor.revoke(other, at: start)
      } publishing: { (_, _) in
        isPublished = true
      }
    }
    #expect(!isPublished)
  }

  @Test func aRehearsalChangesNothing() throws {
    let set = Kind.x25519.makeSet()
    let file = KeyFile(path: try folder.write(text(set)), patience: .milliseconds(20))
    let (rotation, keys) = try file.rehearse { (editor) throws(KeySetError) in try editor.rotate(at: start) }
    #expect(rotation.added.count == 1 && keys.records.count == 2)
    #expect(try file.load().records == set.records)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["keys.json"])
    // A rehearsal waits for a change of the file.
    _ = try file.update {
      $0.prune(at: start)
    } publishing: { (_, _) in
      expectFault(.file(.busy)) { try file.rehearse { $0.prune(at: start) } }
    }
    expectFault(.folderMissing) {
      try KeyFile(path: folder.path(of: "nowhere/new.json")).rehearseCreation()
    }
    try setMode(0o702, of: folder.path)
    expectFault(isWritable) {
      try KeyFile(path: folder.path(of: "new.json")).rehearseCreation()
    }
  }

  private var isWritable: KeyFileFault {
    .file(.folderWritableByOthers(path: folder.path, mode: 0o702))
  }

  private static let leftOver = ".output.0123456789abcdef.tmp"

  @Test func isWrittenOverAnOldOneOnlyIfAsked() throws {
    let (old, new): ([UInt8], [UInt8]) = ([1], [2])
    try output("output").write(old.span)
    expectFault(.file(.exists)) { try output("output").write(new.span) }
    #expect(output("output").holds(old))
    try output("output").write(new.span, isReplacing: true)
    #expect(output("output").holds(new))
    #expect(try folder.names == ["output"])
  }

  @Test func removesWhatKilledProcessesLeft() throws {
    let others = [".output.tmp", ".other.0123456789abcdef.tmp", "output.0123456789abcdef.tmp"]
    for name in others + [Self.leftOver] { try folder.write("a private key", to: name) }
    try output("output").prepare()
    // No lock file is made where there is none.
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == others.sorted())
    try folder.write("a private key", to: Self.leftOver)
    close(try folder.lock())
    try output("output").prepare()
    #expect(try folder.names == others.sorted())
  }

  @Test func removesNothingWithoutTheLock() throws {
    // The lock's holder may be writing the temporary file.
    try folder.write("unfinished", to: Self.leftOver)
    var holder = try Folder(folder.path)
    try holder.lock(within: .zero)
    try OutputFile(path: folder.path(of: "output"), patience: .zero).prepare()
    #expect(try folder.names == [Self.leftOver])
    // A lock file that others can open does not show whether a process is writing.
    _ = consume holder
    try setMode(0o644, of: folder.lockPath)
    try OutputFile(path: folder.path(of: "output"), patience: HangGuard.patience).prepare()
    #expect(try folder.names == [Self.leftOver])
  }

  @Test func aKeyGoesTheKeyFilesWay() throws {
    let bytes: [UInt8] = [1, 2, 3]
    for stale in [".f.pem.0123456789abcdef.tmp", ".other.0123456789abcdef.tmp"] {
      try folder.write("secret", to: stale)
    }
    try output("f.pem").writeKey(bytes.span)
    #expect(try folder.names == [".other.0123456789abcdef.tmp", "f.pem"])
    #expect(try mode(of: folder.path(of: "f.pem")) == 0o600 && output("f.pem").holds(bytes))
    expectFault(.file(.exists)) { try output("f.pem").writeKey(bytes.span) }
    try setMode(0o702, of: folder.path)
    expectFault(isWritable) { try output("new").writeKey(bytes.span) }
    expectFault(isWritable) {
      try output("f.pem").writeKey([9].span, isReplacing: true)
    }
    #expect(output("f.pem").holds(bytes))
  }

  @Test func itIsSeenWhatIsPrivate() throws {
    let set = Kind.x25519.makeSet()
    let whole = text(set)
    let isPrivate: [(String, Bool)] = [
      (whole, true), (text(Kind.shared.makeSet()), true), (text(KeySet(generating: .root, at: start)), true),
      (text(KeySet(generating: .identity, at: start)), true), (whole.setting("v", to: "2"), true),
      (String(whole.dropLast(3)), true), (whole.setting("kid", to: "\"x\""), true),
      (EncryptedKeyFileVectorTests.contents, true), (publicText(set), false), ("{}", false), ("", false),
      (#"{"aps":{}}"#, false),
    ]
    for (text, expected) in isPrivate {
      try folder.write(text, to: "x")
      #expect(output("x").hasPrivateKeys == expected, "\(text)")
    }
    #expect(!output("nowhere").hasPrivateKeys)
  }

  @Test func itIsSeenWhatAFileHolds() throws {
    try folder.write("abc", to: "x")
    let texts = ["abc": true, "abd": false, "ab": false, "abcd": false]
    for (text, expected) in texts { #expect(output("x").holds(Array(text.utf8)) == expected) }
    #expect(!output("nowhere").holds([]))
  }

  @Test(arguments: Kind.allCases) func itIsSeenWhatABrokenFileHad(kind: Kind) throws {
    let path = try folder.write(String(text(kind.makeSet()).dropLast(4)))
    let algorithm = kind.makeSet().records[0].algorithm
    #expect(try KeyFile(path: path).apparentAlgorithms() == [algorithm])
    let root = text(KeySet(generating: .root, at: start))
    #expect(try KeyFile(path: try folder.write(root)).apparentAlgorithms().isEmpty)
  }

  @Test func itIsSeenWhatAFileHoldsThatIsNoMoreThanAKindOfKey() throws {
    let path = try folder.write("\"P-256\"")
    #expect(try KeyFile(path: path).apparentAlgorithms().map(\.jwk.curve) == ["P-256"])
  }

  @Test func nothingIsSeenInAFileOfOneByte() throws {
    #expect(try KeyFile(path: try folder.write("{")).apparentAlgorithms().isEmpty)
  }
}
