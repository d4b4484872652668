internal import PushCrypto

/// The layout of a blob (RFC 8188, 2): a header, followed by records of one size.
///
/// The last record may be shorter.
package struct BlobLayout: Sendable {
  /// The layout of the format: records of 65536 bytes.
  package static let standard = BlobLayout(recordSize: 65536)

  /// The length of a header without a key ID, in bytes: salt 16, record size 4, length of the key ID 1.
  static let headerSize = 21

  /// How much longer a record is than its content, in bytes: delimiter and tag.
  static let recordOverhead = 17

  /// The length of a record, in bytes.
  package let recordSize: Int

  /// Creates a layout with records of `recordSize` bytes, at least 18.
  package init(recordSize: Int) {
    precondition(recordSize > Self.recordOverhead, "a record holds at least one byte")
    self.recordSize = recordSize
  }

  /// The maximum length of a record's content, in bytes.
  var contentSize: Int { recordSize - Self.recordOverhead }

  /// The length of the blob of a file of `fileSize` bytes; `nil` if it overflows.
  package func blobSize(ofFile fileSize: Int) -> Int? {
    guard fileSize >= 0 else { return nil }
    let (whole, rest) = fileSize.quotientAndRemainder(dividingBy: contentSize)
    // An empty file takes a record too.
    let recordCount = max(1, whole + (rest == 0 ? 0 : 1))
    let (overhead, isTooMuch) = recordCount.multipliedReportingOverflow(by: Self.recordOverhead)
    let (records, isTooLong) = fileSize.addingReportingOverflow(overhead)
    let (size, isOver) = records.addingReportingOverflow(Self.headerSize)
    return isTooMuch || isTooLong || isOver ? nil : size
  }

  /// The length of the longest file that a blob of `blobSize` bytes can hold; `nil` if no blob has that length.
  package func fileSize(ofBlob blobSize: Int) -> Int? {
    guard blobSize >= Self.headerSize + Self.recordOverhead else { return nil }
    let (whole, rest) = (blobSize - Self.headerSize).quotientAndRemainder(dividingBy: recordSize)
    guard rest == 0 || rest >= Self.recordOverhead else { return nil }
    return whole * contentSize + max(0, rest - Self.recordOverhead)
  }
}

/// A blob's header (RFC 8188, 2.1): the salt, 16 bytes; the record size, 4 bytes; the length of the key ID, 1 byte, 0.
struct BlobHeader {
  /// The length of a salt, in bytes.
  static let saltSize = 16

  /// The salt that the key is derived with.
  let salt: [UInt8]

  /// The length of the records, in bytes.
  let recordSize: Int

  init(salt: [UInt8], recordSize: Int) {
    self.salt = salt
    self.recordSize = recordSize
  }

  /// Reads the 21 bytes; `nil` if there is a key ID.
  init?(decoding bytes: Span<UInt8>) {
    precondition(bytes.count == BlobLayout.headerSize, "a header has 21 bytes")
    guard bytes[20] == 0 else { return nil }
    salt = [UInt8](copying: bytes.extracting(0..<16))
    recordSize = (16..<20).reduce(0) { $0 << 8 | Int(bytes[$1]) }
  }

  /// The 21 bytes.
  func encoded() -> [UInt8] { salt + [UInt8](bigEndian: recordSize, count: 4) + [0] }
}
