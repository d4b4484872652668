import Foundation
import PushCrypto
import PushCore
import PushReceiver
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

@Suite("A replay file that is not right", .hangGuard)
struct FileReplayStoreFaultTests {
  private let folder: TemporaryFolder
  private let now = UnixTime(clamping: 0)

  init() throws { folder = try TemporaryFolder() }

  /// A file of one message.
  private func sound() throws -> [UInt8] {
    _ = try folder.store().record(.sample(1), at: now)
    return try #require(folder.bytes)
  }

  /// Begun anew with the message that was not checked, which is known from then on, and alone.
  private func expectRepair(_ bytes: [UInt8], _ what: Comment) throws {
    try folder.write(bytes)
    #expect(throws: ReplayStoreError.unavailable, what) { try folder.store().record(.sample(3), at: now) }
    #expect(folder.bytes?.count == 48 + 112, what)
    #expect(try folder.store().record(.sample(3), at: now) == .duplicate, what)
  }

  private func checked(_ bytes: [UInt8]) -> [UInt8] { bytes + SHA256.digest(bytes.span) }

  @Test("every truncation is begun anew")
  func truncated() throws {
    let bytes = try sound()
    for count in 0..<bytes.count { try expectRepair(Array(bytes.prefix(count)), "\(count) bytes") }
  }

  @Test("every flipped bit is begun anew")
  func flipped() throws {
    let bytes = try sound()
    for bit in 0..<bytes.count * 8 {
      var damaged = bytes
      damaged[bit / 8] ^= 1 << UInt8(bit % 8)
      try expectRepair(damaged, "bit \(bit)")
    }
  }

  @Test("something else, or bytes that follow, are begun anew")
  func others() throws {
    let bytes = try sound()
    try expectRepair(bytes + [0], "a byte more")
    try expectRepair(Array("{}".utf8), "JSON")
    try expectRepair(Array(repeating: 0, count: 1000), "zeros")
    try expectRepair(Array(repeating: 0xff, count: 1000), "ones")
  }

  @Test("what cannot have been written is begun anew, even if the checksum is right")
  func untrue() throws {
    let body = try sound().dropLast(32)
    let head = body.prefix(8)
    let record = Array(body[16..<128])
    let floor = Array(record.prefix(32)) + [0, 0, 0, 0, 0, 0, 0, 1]
    func file(_ floors: [UInt8], _ records: [UInt8], _ rest: [UInt8]) -> [UInt8] {
      checked(Array(head) + [0, 0, 0] + floors + [0, 0, 0] + records + rest)
    }
    try expectRepair(file([0], [2], record + record), "a message twice")
    try expectRepair(file([2], [1], floor + floor + record), "a sender twice")
    try expectRepair(file([0], [255], []), "a number that is too large")
    try expectRepair(file([65], [0], Array(repeating: 0, count: 65 * 40)), "too many senders")
    try expectRepair(file([1], [0], []), "a sender that is not there")
    try expectRepair(file([0], [0], record), "a number that is too small")
    try expectRepair(checked(Array(head)), "no number")
    try expectRepair(checked(Array(body) + [0]), "part of a message")
    let late: [UInt8] = [0, 0x20, 0, 0, 0, 0, 0, 0]
    try expectRepair(file([0], [1], record.dropLast(8) + late), "a late date")
    try expectRepair(file([1], [1], floor.dropLast(8) + late + record), "a late date of a sender")
    try expectRepair(file([0], [1], record.dropLast(8) + [0xff, 0, 0, 0, 0, 0, 0, 0]), "no date")
    for version in [0, 1] as [UInt8] {
      try expectRepair(checked(Array(head.dropLast()) + [version] + body.dropFirst(8)), "version \(version)")
    }
    try expectRepair(checked(Array("SPSEEN1".utf8) + [2]), "another magic")
  }

  @Test("a file of a later version is left alone", arguments: [3, 255] as [UInt8])
  func laterVersion(version: UInt8) throws {
    for rest in [[], Array(repeating: 7 as UInt8, count: 100)] {
      let bytes = checked(Array("SPSEEN\0".utf8) + [version] + rest)
      try folder.write(bytes)
      for _ in 0..<2 {
        #expect(throws: ReplayStoreError.unavailable) { try folder.store().record(.sample(1), at: now) }
      }
      #expect(folder.bytes == bytes)
    }
  }

  @Test("more bytes than any store writes are not read")
  func tooLarge() throws {
    try folder.write([])
    try #require(unsafe truncate(folder.file, 1 << 40) == 0)
    expectUnavailable(folder.store())
    // It is begun anew with that message.
    #expect(try folder.store().record(.sample(9), at: now) == .duplicate)
  }

  @Test("what is no regular file gives no verdict", arguments: ["link", "pipe", "folder"])
  func noFile(what: String) throws {
    switch what {
    case "link": try #require(unsafe symlink("/dev/zero", folder.file) == 0)
    case "pipe": try #require(unsafe mkfifo(folder.file, 0o600) == 0)
    default: try #require(unsafe mkdir(folder.file, 0o700) == 0)
    }
    expectUnavailable(folder.store())
  }

  @Test(
    "a path that leads nowhere gives no verdict", arguments: ["", "/", "/none/seen", "/dev/null/seen", "."])
  func nowhere(path: String) {
    expectUnavailable(FileReplayStore(path: path, patience: .milliseconds(20)))
  }

  @Test("a lock that another holds costs the verdict, and not more than the patience")
  func locked() throws {
    _ = try sound()
    let holder = try folder.lock()
    defer { close(holder) }
    expectUnavailable(FileReplayStore(path: folder.file, patience: .milliseconds(20)))
    flock(holder, LOCK_UN)
    #expect(try folder.store().record(.sample(1), at: now) == .duplicate)
    #expect(try folder.store().record(.sample(3), at: now) == .first)
  }

  @Test("a folder that may not be written to costs the verdict of what is new")
  func readOnlyFolder() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      let now = UnixTime(clamping: 0)
      try #require(unsafe chmod(folder.path, 0o555) == 0)
      // Root may write everywhere; in this process alone, it is nobody for a while.
      let user = geteuid()
      if user == 0 { try #require(seteuid(65534) == 0) }
      #expect(throws: ReplayStoreError.unavailable) { try folder.store().record(.sample(1), at: now) }
      try #require(seteuid(user) == 0)
      try #require(unsafe chmod(folder.path, 0o700) == 0)
      #expect(try folder.names.isEmpty)
      #expect(try folder.store().record(.sample(1), at: now) == .first)
    }
  }

  @Test("a disk without room costs the verdict of what is new, and loses nothing")
  func noRoom() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      let now = UnixTime(clamping: 0)
      #expect(try folder.store().record(.sample(1), at: now) == .first)
      // A write beyond the limit fails with EFBIG, in this process alone.
      signal(SIGXFSZ, SIG_IGN)
      var limit = rlimit(rlim_cur: 200, rlim_max: 200)
      #if canImport(Glibc)
        let resource = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
      #else
        let resource = RLIMIT_FSIZE
      #endif
      try #require(unsafe setrlimit(resource, &limit) == 0)
      #expect(throws: ReplayStoreError.unavailable) { try folder.store().record(.sample(2), at: now) }
      #expect(try folder.store().record(.sample(1), at: now) == .duplicate)
      #expect(try folder.names == ["store"])
    }
  }

  private func expectUnavailable(_ store: FileReplayStore) {
    #expect(throws: ReplayStoreError.unavailable) { try store.record(.sample(9), at: now) }
  }
}
