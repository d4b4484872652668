internal import PushCrypto
internal import PushEnvelope

/// How a ledger is written in a file.
///
/// Numbers are big-endian.
///
/// ```
/// 7   "SPSEEN" 0x00
/// 1   version = 1
/// 4   number of records
///     each, oldest first: 32 key | 32 content | 8 expires at, Unix seconds
/// 32  SHA-256 of all that is before it
/// ```
///
/// Every version begins and ends this way: a file with a wrong checksum is damaged, whatever version it claims to be.
enum ReplayFileFormat {
  /// Why a file cannot be read.
  enum Fault: Error {
    /// The file is damaged.
    case damaged
    /// The file has a later version.
    case laterVersion
  }

  private static let magic = Array("SPSEEN\0".utf8)
  private static let version: UInt8 = 1
  private static let headSize = magic.count + 1 + 4
  private static let timeSize = 8
  private static let recordSize = 2 * ReplayRecord.hashSize + timeSize

  /// The length of a file with this many records, in bytes.
  static func size(of count: Int) -> Int { headSize + count * recordSize + SHA256.digestSize }

  /// Writes records, oldest first.
  static func encode(_ records: [ReplayRecord]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(size(of: records.count))
    bytes += magic
    bytes.append(version)
    append(UInt32(records.count), to: &bytes)
    for record in records {
      bytes += record.key
      bytes += record.content
      append(UInt64(record.expiresAt.seconds), to: &bytes)
    }
    bytes += SHA256.digest(bytes.span)
    return bytes
  }

  /// Reads records, oldest first.
  static func decode(_ bytes: [UInt8]) throws(Fault) -> [ReplayRecord] {
    let end = bytes.count - SHA256.digestSize
    guard end >= magic.count + 1, bytes.starts(with: magic) else { throw .damaged }
    let digest = SHA256.digest(bytes.span.extracting(..<end))
    guard bytes[end...].elementsEqual(digest) else { throw .damaged }
    let version = bytes[magic.count]
    guard version <= Self.version else { throw .laterVersion }
    guard version == Self.version, end >= headSize else { throw .damaged }
    // The count follows from the length. The number in the file must agree, but is not trusted.
    let (count, rest) = (end - headSize).quotientAndRemainder(dividingBy: recordSize)
    guard rest == 0, number(bytes[(magic.count + 1)..<headSize]) == count else { throw .damaged }
    var records: [ReplayRecord] = []
    records.reserveCapacity(count)
    for start in stride(from: headSize, to: end, by: recordSize) {
      guard let record = record(bytes[start..<start + recordSize]) else { throw .damaged }
      records.append(record)
    }
    return records
  }

  private static func record(_ bytes: ArraySlice<UInt8>) -> ReplayRecord? {
    guard let seconds = Int64(exactly: number(bytes.suffix(timeSize))),
      let expiresAt = UnixTime(seconds: seconds)
    else { return nil }
    let hashes = bytes.dropLast(timeSize)
    return ReplayRecord(
      key: Array(hashes.prefix(ReplayRecord.hashSize)), content: Array(hashes.suffix(ReplayRecord.hashSize)),
      expiresAt: expiresAt)
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }

  private static func append(_ number: some FixedWidthInteger, to bytes: inout [UInt8]) {
    for shift in stride(from: number.bitWidth - 8, through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: number >> shift))
    }
  }
}
