import PushAttachments
import Testing

/// The lengths of blobs.
struct BlobLayoutTests {
  private let layout = BlobLayout.standard

  @Test func `records are full before another one begins`() {
    let table: [(file: Int, blob: Int)] = [
      (0, 38), (1, 39), (65518, 65556), (65519, 65557), (65520, 65575), (131_038, 131_093),
      (131_039, 131_111), (10_000_000, 10_002_622),
    ]
    for (file, blob) in table {
      #expect(layout.blobSize(ofFile: file) == blob)
      #expect(layout.fileSize(ofBlob: blob) == file)
    }
  }

  @Test func `the one function undoes the other`() {
    for recordSize in 18...40 {
      let layout = BlobLayout(recordSize: recordSize)
      for size in 0...200 { #expect(layout.blobSize(ofFile: size).flatMap(layout.fileSize) == size) }
    }
  }

  @Test func `lengths that no blob has`() {
    for size in [Int.min, -1, 0, 21, 37, 65558, 65573] { #expect(layout.fileSize(ofBlob: size) == nil) }
    // An empty last record, which other sealers write.
    #expect(layout.fileSize(ofBlob: 65574) == 65519)
  }

  @Test func `no length is beyond reckoning`() {
    for size in [Int.min, -1, .max, .max - 21, .max - 20] { #expect(layout.blobSize(ofFile: size) == nil) }
    #expect(layout.blobSize(ofFile: .max / 2) != nil)
    #expect(layout.fileSize(ofBlob: .max).map { $0 > 0 } != false)
  }
}
