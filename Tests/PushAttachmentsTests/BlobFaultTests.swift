import PushAttachments
import PushCrypto
import PushCore
import PushFiles
import TestSupport
import Testing

/// Blobs that do not open, and the reasons.
@Suite(.hangGuard)
struct BlobFaultTests {
  /// Small records, so that every offset can be tried.
  private static let small = BlobLayout(recordSize: 27)
  /// Records of 10, 10 and 5 bytes of content.
  private let blob: Blob
  private let large: Blob

  init() throws {
    blob = try Blob(sealing: file(25), layout: Self.small)
    large = try Blob(sealing: file(140_000))
  }

  private func refuse(
    _ blob: Blob, _ error: AttachmentError, layout: BlobLayout = small,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    for pieces in [[1], [1 << 20]] {
      #expect(throws: error, sourceLocation: sourceLocation) { try blob.open(layout: layout, pieces: pieces) }
    }
  }

  @Test func `a blob that ends early has the wrong size`() throws {
    for count in 0..<blob.bytes.count {
      refuse(Blob(Array(blob.bytes.prefix(count)), blob.descriptor), .wrongSize)
    }
    let ends = [0, 21, 21 + 65536, 21 + 2 * 65536, large.bytes.count]
    for end in ends.flatMap({ [$0 - 1, $0, $0 + 1] }) where (0..<large.bytes.count).contains(end) {
      let cut = Blob(Array(large.bytes.prefix(end)), large.descriptor)
      #expect(throws: AttachmentError.wrongSize) { try cut.open() }
    }
  }

  @Test func `a blob that is cut and described so does not open`() throws {
    for count in 38..<blob.bytes.count where Self.small.fileSize(ofBlob: count) != nil {
      let cut = try blob.replaced(by: Array(blob.bytes.prefix(count)))
      // If the cut is between records, the last one says that another follows.
      refuse(cut, (count - 21) % 27 == 0 ? .malformedBlob : .notAuthentic)
    }
    let first = try large.replaced(by: Array(large.bytes.prefix(21 + 65536)))
    #expect(throws: AttachmentError.malformedBlob) { try first.open() }
  }

  @Test func `any bit that flips is noticed`() throws {
    for bit in 0..<8 * blob.bytes.count {
      var bytes = blob.bytes
      bytes[bit / 8] ^= 1 << (bit % 8)
      let isForm = (16..<21).contains(bit / 8)
      refuse(Blob(bytes, blob.descriptor), isForm ? .malformedBlob : .notAuthentic)
    }
  }

  @Test func `a byte behind the end is one too many`() throws {
    for count in [1, 27, 100] {
      let longer = blob.bytes + [UInt8](repeating: 0, count: count)
      refuse(Blob(longer, blob.descriptor), .wrongSize)
    }
    // The opener refuses the piece before it decrypts any of it.
    var opener = try BlobOpener(descriptor: blob.descriptor, layout: Self.small)
    let longer = blob.bytes + [0]
    #expect(throws: AttachmentError.wrongSize) {
      try opener.append(longer.span) { _ in Issue.record("something was handed over") }
    }
  }

  @Test func `bytes behind the last record do not open, however they are described`() throws {
    for count in 1...60 {
      let longer = blob.bytes + [UInt8](repeating: 0, count: count)
      guard Self.small.fileSize(ofBlob: longer.count) != nil else { continue }
      // The added bytes belong to the record until it is full; then it is an inner record that says it is the last.
      refuse(try blob.replaced(by: longer), .notAuthentic)
    }
    let whole = try Blob(sealing: file(20), layout: Self.small)
    refuse(try whole.replaced(by: whole.bytes + [UInt8](repeating: 0, count: 17)), .malformedBlob)
  }

  @Test func `records in another order do not open`() throws {
    let (header, records) = (blob.bytes.prefix(21), blob.bytes.dropFirst(21))
    let (one, two) = (records.prefix(27), records.dropFirst(27).prefix(27))
    let last = records.dropFirst(54)
    for order in [[two, one, last], [one, one, last], [two, last], [last]] {
      refuse(try blob.replaced(by: Array(header + order.joined())), .notAuthentic)
    }
    refuse(try blob.replaced(by: Array(header + one + two)), .malformedBlob)
    refuse(try blob.replaced(by: Array(header + one + last)), .notAuthentic)
  }

  @Test func `a digest of another blob`() throws {
    refuse(Blob(blob.bytes, try blob.descriptor.with("sha256", digest([1]))), .wrongDigest)
    // The digest is the file's instead of the blob's.
    refuse(Blob(blob.bytes, try blob.descriptor.with("sha256", digest(file(25)))), .wrongDigest)
  }

  @Test func `a size of another blob`() throws {
    for size in [blob.bytes.count + 1, blob.bytes.count + 2, blob.bytes.count + 100] {
      let described = Blob(blob.bytes, try blob.descriptor.sized(size))
      // The last record may end elsewhere now.
      #expect(throws: AttachmentError.self) { try described.open(layout: Self.small) }
    }
    let size = large.bytes.count + 1
    let longer = Blob(large.bytes, try large.descriptor.sized(size))
    #expect(throws: AttachmentError.wrongSize) { try longer.open() }
    let shorter = Blob(large.bytes, try large.descriptor.sized(size - 2))
    #expect(throws: AttachmentError.self) { try shorter.open() }
  }

  @Test func `a size that no blob has`() throws {
    // 21 bytes of header, 27 of a record, and too few for another.
    for rest in 1...16 {
      let described = try blob.descriptor.sized(48 + rest)
      #expect(throws: AttachmentError.invalidMember(.size)) {
        _ = try BlobOpener(descriptor: described, layout: Self.small)
      }
    }
  }

  @Test func `another key`() throws {
    refuse(
      Blob(blob.bytes, try blob.descriptor.with("key", .string("AAECAwQFBgcICQoLDA0OEA"))), .notAuthentic)
  }

  @Test(arguments: [0, 17, 18, 4096, 65535, 65537, 1 << 24, 0xffff_ffff])
  func `another record size`(recordSize: Int) throws {
    var bytes = large.bytes
    bytes.replaceSubrange(16..<20, with: [UInt8](bigEndian: recordSize, count: 4))
    let other = try large.replaced(by: bytes)
    #expect(throws: AttachmentError.malformedBlob) { try other.open() }
    let small = try Blob(sealing: file(100), layout: BlobLayout(recordSize: 4096))
    #expect(throws: AttachmentError.malformedBlob) { try small.open() }
  }

  @Test func `a key id`() throws {
    var bytes = blob.bytes
    bytes.replaceSubrange(20..<21, with: [2, 0x61, 0x31])
    for size in [bytes.count, bytes.count + 27] {
      refuse(try blob.replaced(by: Array((bytes + file(27)).prefix(size))), .malformedBlob)
    }
  }

  @Test func `an error stays`() throws {
    var bytes = blob.bytes
    bytes[30] ^= 1
    let described = try blob.descriptor.with("sha256", digest(bytes))
    var opener = try BlobOpener(descriptor: described, layout: Self.small)
    let (first, rest) = (Array(bytes.prefix(60)), Array(bytes.dropFirst(60)))
    #expect(throws: AttachmentError.notAuthentic) { try opener.append(first.span) { _ in } }
    #expect(throws: AttachmentError.notAuthentic) {
      try opener.append(rest.span) { _ in Issue.record("something was handed over") }
    }
    let error = Self.error(ending: opener)
    #expect(error == .notAuthentic)
  }

  @Test func `what the sink throws comes out, and stays`() throws {
    let fault = AttachmentError.unwritable(.system(call: "write", errno: 28), path: "blob")
    var opener = try BlobOpener(descriptor: blob.descriptor, layout: Self.small)
    let bytes = blob.bytes
    #expect(throws: fault) { try opener.append(bytes.span) { _ throws(AttachmentError) in throw fault } }
    #expect(throws: fault) {
      try opener.append(bytes.span.extracting(0..<0)) { _ in Issue.record("something was handed over") }
    }
    let error = Self.error(ending: opener)
    #expect(error == fault)
    var sealer = try BlobSealer(type: .jpeg)
    try sealer.append(bytes.span) { _ in Issue.record("the record is not full") }
    do throws(AttachmentError) {
      _ = try sealer.finish { _ throws(AttachmentError) in throw fault }
      Issue.record("the blob was sealed")
    } catch {
      #expect(error == fault)
    }
  }

  private static func error(ending opener: consuming BlobOpener) -> AttachmentError? {
    do throws(AttachmentError) {
      try opener.finish()
      return nil
    } catch {
      return error
    }
  }
}
