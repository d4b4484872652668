import PushAttachments
import PushCrypto
import Testing

/// Records of other implementations, which may pad them (RFC 8188, 2).
struct PaddingTests {
  private static let layout = BlobLayout(recordSize: 27)

  @Test func `zeros behind the delimiter are no content`() throws {
    let good: [[[UInt8]]] = [
      [[1, 2, 3, 2, 0, 0]], [[2, 0, 0, 0]], [[2]],
      [[7, 7, 7, 1, 0, 0, 0, 0, 0, 0, 0], [8, 2]],
      [[1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], [2]],
      [[0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0], [0, 2, 0]],
    ]
    let files: [[UInt8]] = [[1, 2, 3], [], [], [7, 7, 7, 8], [], [0, 0, 0]]
    for (records, file) in zip(good, files) { #expect(try blob(records).open(layout: Self.layout) == file) }
  }

  @Test func `a record without its delimiter is no record`() throws {
    let bad: [[[UInt8]]] = [
      [[0]], [[0, 0, 0]], [[1]], [[3]], [[1, 2, 3]], [[2, 1]], [[2, 0, 9]],
      [[UInt8](repeating: 7, count: 10) + [2], [8, 2]], [[UInt8](repeating: 0, count: 11), [2]],
      [[UInt8](repeating: 7, count: 10) + [1], [8, 1]], [[UInt8](repeating: 7, count: 10) + [3], [2]],
    ]
    for records in bad {
      #expect(throws: AttachmentError.malformedBlob) { try blob(records).open(layout: Self.layout) }
    }
  }

  /// A blob whose records have these plaintexts; all but the last must have 11 bytes.
  private func blob(_ records: [[UInt8]]) throws -> Blob {
    let any = try Blob(sealing: [], layout: Self.layout)
    let (salt, key) = (Array(any.bytes.prefix(16)), any.descriptor.key)
    let prk = HKDFSHA256.extract(salt: salt.span) { $0.update(key.exposedBytes) }
    let recordKey = HKDFSHA256.expand(prk.exposedBytes, count: 16) {
      $0.update("Content-Encoding: aes128gcm\0")
    }
    let base = HKDFSHA256.expand(prk.exposedBytes, count: 12) { $0.update("Content-Encoding: nonce\0") }
    var bytes = Array(any.bytes.prefix(21))
    for (index, record) in records.enumerated() {
      var nonce = [UInt8](copying: base.exposedBytes)
      nonce[11] ^= UInt8(index)
      bytes += try AEAD.aes128GCM.seal(
        record.span, authenticating: Span(), key: recordKey.exposedBytes, nonce: nonce.span)
    }
    return try any.replaced(by: bytes)
  }
}
