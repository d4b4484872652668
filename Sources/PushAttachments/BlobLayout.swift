/// How long blobs are (RFC 8188, 2): a header, then records of one size, of which the last may be shorter.
public struct BlobLayout: Sendable {
  /// The layout of the format: records of 65536 bytes.
  public static let standard = BlobLayout(recordSize: 65536)

  /// The length of a header without key id: salt 16, record size 4, length of the key id 1.
  static let headerSize = 21

  /// What a record has beside content: the delimiter and the tag.
  static let recordOverhead = 17

  /// The length of a record, in bytes.
  public let recordSize: Int

  /// Makes a layout whose records have `recordSize` bytes, at least 18.
  package init(recordSize: Int) {
    precondition(recordSize > Self.recordOverhead, "a record holds at least one byte")
    self.recordSize = recordSize
  }

  /// The most content in a record.
  var contentSize: Int { recordSize - Self.recordOverhead }

  /// The length of the blob of a file of `fileSize` bytes; null if it is beyond all numbers.
  public func blobSize(ofFile fileSize: Int) -> Int? {
    guard fileSize >= 0 else { return nil }
    let (whole, rest) = fileSize.quotientAndRemainder(dividingBy: contentSize)
    // An empty file takes a record too.
    let recordCount = max(1, whole + (rest == 0 ? 0 : 1))
    let (overhead, isTooMuch) = recordCount.multipliedReportingOverflow(by: Self.recordOverhead)
    let (records, isTooLong) = fileSize.addingReportingOverflow(overhead)
    let (size, isOver) = records.addingReportingOverflow(Self.headerSize)
    return isTooMuch || isTooLong || isOver ? nil : size
  }

  /// The length of the longest file that a blob of `blobSize` bytes can hold; null if no blob has that length.
  public func fileSize(ofBlob blobSize: Int) -> Int? {
    guard blobSize >= Self.headerSize + Self.recordOverhead else { return nil }
    let (whole, rest) = (blobSize - Self.headerSize).quotientAndRemainder(dividingBy: recordSize)
    guard rest == 0 || rest >= Self.recordOverhead else { return nil }
    return whole * contentSize + max(0, rest - Self.recordOverhead)
  }
}
