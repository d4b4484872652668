import Foundation
import PushAttachments
import PushFiles
import TestSupport
import Testing

/// Files and blobs on disk.
@Suite(.hangGuard)
struct AttachmentFileTests {
  private let folder: TemporaryFolder
  private let photo: AttachmentFile

  init() throws {
    folder = try TemporaryFolder()
    photo = AttachmentFile(path: folder.path(of: "photo.jpg"))
    try folder.write(file(140_000), to: "photo.jpg")
  }

  private func seal() throws -> AttachmentDescriptor {
    try photo.seal(to: folder.path(of: "blob"), as: .jpeg)
  }

  private var opened: AttachmentFile { AttachmentFile(path: folder.path(of: "opened.jpg")) }

  @Test(arguments: [0, 1, 65519, 65520, 65536, 140_000]) func `a file makes a round trip`(size: Int) throws {
    try folder.write(file(size), to: "photo.jpg")
    let descriptor = try seal()
    #expect(folder.bytes(of: "blob")?.count == descriptor.size)
    try opened.open(folder.path(of: "blob"), with: descriptor)
    #expect(folder.bytes(of: "opened.jpg") == file(size))
    #expect(try folder.names == ["blob", "opened.jpg", "photo.jpg"])
  }

  @Test func `what is made is its owner's alone`() throws {
    try opened.open(folder.path(of: "blob"), with: try seal())
    for name in ["blob", "opened.jpg"] {
      let attributes = try FileManager.default.attributesOfItem(atPath: folder.path(of: name))
      #expect(attributes[.posixPermissions] as? Int == 0o600)
    }
  }

  @Test func `nothing is replaced unless asked for`() throws {
    let descriptor = try seal()
    let blob = try #require(folder.bytes(of: "blob"))
    try folder.write([7], to: "opened.jpg")
    #expect(throws: AttachmentError.unwritable(.exists, path: folder.path(of: "blob"))) { try seal() }
    #expect(throws: AttachmentError.unwritable(.exists, path: opened.path)) {
      try opened.open(folder.path(of: "blob"), with: descriptor)
    }
    #expect(folder.bytes(of: "blob") == blob && folder.bytes(of: "opened.jpg") == [7])
    #expect(try folder.names == ["blob", "opened.jpg", "photo.jpg"])
    try opened.open(folder.path(of: "blob"), with: descriptor, isReplacing: true)
    #expect(folder.bytes(of: "opened.jpg") == file(140_000))
    _ = try photo.seal(to: folder.path(of: "blob"), as: .jpeg, isReplacing: true)
    #expect(folder.bytes(of: "blob") != blob)
    #expect(try folder.names == ["blob", "opened.jpg", "photo.jpg"])
  }

  @Test func `a download replaces what an earlier one has left`() throws {
    let descriptor = try seal()
    try folder.write([7], to: "opened.jpg")
    let download = try BlobDownload(of: descriptor, to: opened.path)
    try download.append(try #require(folder.bytes(of: "blob")))
    #expect(folder.bytes(of: "opened.jpg") == [7])
    try download.finish()
    #expect(folder.bytes(of: "opened.jpg") == file(140_000))
  }

  @Test func `a blob that does not open leaves nothing, and what was there`() throws {
    let descriptor = try seal()
    let blob = try #require(folder.bytes(of: "blob"))
    var flipped = blob
    flipped[blob.count - 1] ^= 1
    let faults: [([UInt8], AttachmentError)] = [
      (flipped, .notAuthentic), (Array(blob.dropLast()), .wrongSize), (blob + [0], .wrongSize),
      (Array(blob.prefix(21 + 65536)), .wrongSize), ([], .wrongSize),
      ([UInt8](repeating: 0, count: blob.count), .malformedBlob),
    ]
    for (bytes, error) in faults {
      try folder.write(bytes, to: "blob")
      #expect(throws: error) { try opened.open(folder.path(of: "blob"), with: descriptor) }
      #expect(try folder.names == ["blob", "photo.jpg"])
    }
    try folder.write(blob, to: "blob")
    let other = try descriptor.with("sha256", digest([]))
    #expect(throws: AttachmentError.wrongDigest) { try opened.open(folder.path(of: "blob"), with: other) }
    #expect(try folder.names == ["blob", "photo.jpg"])
    try folder.write([7], to: "opened.jpg")
    #expect(throws: AttachmentError.wrongDigest) {
      try opened.open(folder.path(of: "blob"), with: other, isReplacing: true)
    }
    #expect(folder.bytes(of: "opened.jpg") == [7])
  }

  @Test func `a file over its limit is not sealed`() throws {
    for limit in [0, 139_999] {
      #expect(throws: AttachmentError.tooLarge(limit: limit)) {
        try photo.seal(to: folder.path(of: "blob"), as: .jpeg, limit: limit)
      }
    }
    #expect(try folder.names == ["photo.jpg"])
    let descriptor = try photo.seal(to: folder.path(of: "blob"), as: .jpeg, limit: 140_000)
    #expect(throws: AttachmentError.tooLarge(limit: 139_999)) {
      try opened.open(folder.path(of: "blob"), with: descriptor, limit: 139_999)
    }
    #expect(try folder.names == ["blob", "photo.jpg"])
  }

  @Test func `the limit is the type's, and can be lifted`() throws {
    try folder.write([UInt8](repeating: 1, count: 5_000_001), to: "photo.jpg")
    #expect(throws: AttachmentError.tooLarge(limit: 5_000_000)) {
      try photo.seal(to: folder.path(of: "blob"), as: .mp3)
    }
    let descriptor = try photo.seal(to: folder.path(of: "blob"), as: .mp3, limit: .max)
    #expect(throws: AttachmentError.tooLarge(limit: 5_000_000)) {
      try opened.open(folder.path(of: "blob"), with: descriptor)
    }
    try opened.open(folder.path(of: "blob"), with: descriptor, limit: .max)
    #expect(folder.bytes(of: "opened.jpg")?.count == 5_000_001)
  }

  @Test func `files that cannot be read or made`() throws {
    let descriptor = try seal()
    let (missing, nowhere) = (folder.path(of: "missing"), folder.path(of: "nowhere/blob"))
    #expect(throws: AttachmentError.unreadable(.missing, path: missing)) {
      try AttachmentFile(path: missing).seal(to: folder.path(of: "b"), as: .jpeg)
    }
    #expect(throws: AttachmentError.unreadable(.missing, path: missing)) {
      try opened.open(missing, with: descriptor)
    }
    #expect(throws: AttachmentError.unreadable(.notRegularFile(.folder), path: folder.path)) {
      try AttachmentFile(path: folder.path).seal(to: folder.path(of: "b"), as: .jpeg)
    }
    #expect(throws: AttachmentError.unreadable(.notRegularFile(.device), path: "/dev/zero")) {
      try AttachmentFile(path: "/dev/zero").seal(to: folder.path(of: "b"), as: .jpeg)
    }
    #expect(throws: AttachmentError.unwritable(.missing, path: nowhere)) {
      try photo.seal(to: nowhere, as: .jpeg)
    }
    #expect(throws: AttachmentError.unwritable(.missing, path: nowhere)) {
      try AttachmentFile(path: nowhere).open(folder.path(of: "blob"), with: descriptor)
    }
    #expect(throws: AttachmentError.unwritable(.notRegularFile(.folder), path: folder.path + "/")) {
      try photo.seal(to: folder.path + "/", as: .jpeg)
    }
    #expect(try folder.names == ["blob", "photo.jpg"])
  }
}
