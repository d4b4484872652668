import PushAttachments
import PushCrypto
import TestSupport
import Testing

/// Files that are sealed and opened again.
@Suite(.hangGuard)
struct BlobTests {
  private static let sizes = [0, 1, 65518, 65519, 65520, 131_037, 131_038, 131_039, 200_000]

  @Test(
    arguments: sizes, [[4096], [1, 2, 3, 5, 8], [65519], [65535, 65536, 65537], [1 << 20], [7, 65536, 1]])
  func `a file makes a round trip in any pieces`(size: Int, pieces: [Int]) throws {
    let blob = try Blob(sealing: file(size), pieces: pieces)
    #expect(blob.bytes == (try Blob(sealing: file(size))).bytes)
    #expect(blob.bytes.count == BlobLayout.standard.blobSize(ofFile: size))
    #expect(blob.descriptor.size == blob.bytes.count)
    #expect(blob.descriptor.sha256 == SHA256.digest(blob.bytes.span))
    #expect(try blob.open(pieces: pieces) == file(size))
  }

  @Test func `records of any size make a round trip`() throws {
    for recordSize in 18...40 {
      let layout = BlobLayout(recordSize: recordSize)
      for size in 0...50 {
        let blob = try Blob(sealing: file(size), layout: layout, pieces: [3])
        #expect(blob.bytes.count == layout.blobSize(ofFile: size))
        #expect(try blob.open(layout: layout, pieces: [5]) == file(size))
      }
    }
  }

  @Test func `the header is the format's`() throws {
    let blob = try Blob(sealing: file(3))
    #expect(Array(blob.bytes[16..<21]) == [0, 1, 0, 0, 0])
    #expect(blob.bytes.count == 21 + 3 + 17)
  }

  @Test func `every blob has a key and a salt of its own`() throws {
    var seen: Set<[UInt8]> = []
    for _ in 0..<100 {
      var header: [UInt8] = []
      let sealer = try BlobSealer(type: .png)
      let descriptor = try sealer.finish { if header.isEmpty { header = [UInt8](copying: $0) } }
      seen.insert([UInt8](copying: descriptor.key.exposedBytes))
      seen.insert(Array(header.prefix(16)))
    }
    #expect(seen.count == 200)
  }

  @Test func `no more than a record is handed over at a time`() throws {
    var largest = 0
    var sealer = try BlobSealer(type: .jpeg)
    var blob: [UInt8] = []
    let whole = file(200_000)
    try sealer.append(whole.span) {
      largest = max(largest, $0.count)
      blob += [UInt8](copying: $0)
    }
    let descriptor = try sealer.finish { blob += [UInt8](copying: $0) }
    #expect(largest == 65536)
    largest = 0
    var opener = try BlobOpener(descriptor: descriptor)
    try opener.append(blob.span) { largest = max(largest, $0.count) }
    try opener.finish()
    #expect(largest == 65519)
  }

  @Test func `a file at its limit is sealed, and opened`() throws {
    let blob = try Blob(sealing: file(1000), limit: 1000)
    #expect(try blob.open(limit: 1000) == file(1000))
    #expect(throws: AttachmentError.tooLarge(limit: 999)) { try blob.open(limit: 999) }
    #expect(throws: AttachmentError.tooLarge(limit: 999)) { try Blob(sealing: file(1000), limit: 999) }
    #expect(throws: AttachmentError.tooLarge(limit: 999)) {
      try Blob(sealing: file(1000), limit: 999, pieces: [999])
    }
  }

  @Test(arguments: AttachmentType.allCases)
  func `the limit is the type's unless another is given`(type: AttachmentType) throws {
    let most = try #require(BlobLayout.standard.blobSize(ofFile: type.limit))
    let blob = try Blob(sealing: [], type: type)
    _ = try BlobOpener(descriptor: try blob.descriptor.sized(most))
    let larger = try blob.descriptor.sized(most + 1)
    #expect(throws: AttachmentError.tooLarge(limit: type.limit)) { _ = try BlobOpener(descriptor: larger) }
    _ = try BlobOpener(descriptor: larger, limit: .max)
  }
}
