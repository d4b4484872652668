import Foundation
import PushCore
import PushReceiver
import PushTesting
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

@Suite("A replay store in a file", .hangGuard)
struct FileReplayStoreTests {
  private let folder: TemporaryFolder
  private let now = UnixTime(clamping: 0)

  init() throws { folder = try TemporaryFolder() }

  @Test("a receiver of another process knows what was opened")
  func anotherReceiver() throws {
    let parties = Parties()
    let push = try parties.push()
    #expect(try parties.receiver(replay: folder.store()).open(push).opened.repetition == .first)
    #expect(try parties.receiver(replay: folder.store()).open(push).opened.repetition == .duplicate)
  }

  @Test("naming a file makes none")
  func untouched() throws {
    _ = folder.store()
    #expect(try folder.names.isEmpty)
  }

  @Test("a message takes 112 bytes, and there are no more than the capacity")
  func size() throws {
    let store = folder.store(capacity: 4)
    for message in 0..<10 as Range<UInt64> {
      #expect(try store.record(.sample(message), at: now) == .first)
      let floors = message < 4 ? 0 : 1
      #expect(folder.bytes?.count == 48 + 40 * floors + 112 * min(Int(message) + 1, 4))
    }
    #expect(try folder.names == ["store"])
    let attributes = try FileManager.default.attributesOfItem(atPath: folder.file)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
  }

  @Test("a smaller capacity keeps the youngest")
  func smaller() throws {
    for message in 0..<8 as Range<UInt64> { _ = try folder.store().record(.sample(message), at: now) }
    let store = folder.store(capacity: 3)
    #expect(try store.record(.sample(0), at: now) == .duplicate)
    #expect(try store.record(.sample(8), at: now) == .first)
    #expect(folder.bytes?.count == 48 + 40 + 112 * 3)
    #expect(
      try [6, 7, 8].map { try store.record(.sample($0), at: now) } == [.duplicate, .duplicate, .duplicate])
  }

  @Test("a capacity is not more than the file may hold")
  func capacity() {
    #expect(FileReplayStore(path: folder.file, capacity: .max).capacity == FileReplayStore.maximumCapacity)
    #expect(FileReplayStore(path: folder.file).capacity == 1024)
  }

  @Test("what repeats leaves the file alone")
  func nothingNew() throws {
    let store = folder.store()
    _ = try store.record(.sample(1), at: now)
    let before = try inode()
    for content in 0...1 as ClosedRange<UInt8> {
      _ = try store.record(.sample(1, content: content), at: now)
      // Looked at each time: a second new file could have the first one's number.
      #expect(try inode() == before)
    }
  }

  @Test("the file tells no sender, no message and no digest of a content")
  func hashes() throws {
    let entry = ReplayEntry.sample(0x0102_0304_0506_0708, from: 0xa5, content: 0x5a)
    _ = try folder.store().record(entry, at: now)
    let bytes = try #require(folder.bytes)
    for secret in [entry.key.sender!.bytes, Array(entry.key.messageID.bytes.prefix(8)), entry.digest] {
      #expect(Data(bytes).range(of: Data(secret)) == nil)
    }
    // Two messages of one content have nothing in common.
    _ = try folder.store().record(.sample(2, from: 0xa5, content: 0x5a), at: now)
    let both = try #require(folder.bytes)
    #expect(both[44..<76] != both[116..<148])
  }

  @Test("the file is as its format says")
  func format() throws {
    _ = try folder.store().record(
      .sample(1, issuedAt: 0x0102_0304, expiresAt: 0x0102_0304_0506), at: now)
    let bytes = try #require(folder.bytes)
    let head: [UInt8] = Array("SPSEEN\0".utf8) + [2, 0, 0, 0, 0, 0, 0, 0, 1]
    #expect(bytes.starts(with: head))
    #expect(Array(bytes[112..<128]) == [0, 0, 0, 0, 1, 2, 3, 4, 0, 0, 1, 2, 3, 4, 5, 6])
  }

  private func inode() throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: folder.file)[.systemFileNumber] as? Int
  }
}
