internal import PushCrypto
internal import PushCore

/// How a ledger is written in a file.
///
/// Numbers are big-endian.
///
/// ```
/// 7   "SPSEEN" 0x00
/// 1   version = 2
/// 4   number of floors
/// 4   number of records
///     each floor: 32 sender | 8 issued at, Unix seconds
///     each record, oldest first: 32 sender | 32 key | 32 content | 8 issued at | 8 expires at
/// 32  SHA-256 of everything before it
/// ```
///
/// Every version begins and ends this way: a file with a wrong checksum is damaged, whatever version it claims to be.
enum ReplayFileFormat {
  /// Why a file cannot be read.
  enum Fault: Error {
    /// The file is damaged, or has an earlier version.
    case damaged
    /// The file has a later version.
    case laterVersion
  }

  private static let magic = Array("SPSEEN\0".utf8)
  private static let version: UInt8 = 2
  private static let countSize = 4
  private static let headSize = magic.count + 1 + 2 * countSize
  private static let timeSize = 8
  private static let hashSize = ReplayHash.size
  private static let floorSize = hashSize + timeSize
  private static let recordSize = 3 * hashSize + 2 * timeSize

  /// The length in bytes of a file with this many records and the most floors.
  static func size(of count: Int) -> Int {
    headSize + ReplayLedger.maximumFloorCount * floorSize + count * recordSize + SHA256.digestSize
  }

  /// Writes a ledger.
  static func encode(_ ledger: ReplayLedger) -> [UInt8] {
    let (floors, records) = (ledger.floors, ledger.remembered)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(size(of: records.count))
    bytes += magic
    bytes.append(version)
    append(UInt32(floors.count), to: &bytes)
    append(UInt32(records.count), to: &bytes)
    for floor in floors {
      floor.sender.append(to: &bytes)
      append(UInt64(floor.issuedAt.seconds), to: &bytes)
    }
    for record in records {
      for hash in [record.sender, record.key, record.content] { hash.append(to: &bytes) }
      append(UInt64(record.issuedAt.seconds), to: &bytes)
      append(UInt64(record.expiresAt.seconds), to: &bytes)
    }
    bytes += SHA256.digest(bytes.span)
    return bytes
  }

  /// Reads records, oldest first, and floors.
  static func decode(
    _ bytes: [UInt8]
  ) throws(Fault) -> (records: [ReplayRecord], floors: [ReplayLedger.Floor]) {
    let end = bytes.count - SHA256.digestSize
    guard end >= magic.count + 1, bytes.starts(with: magic) else { throw .damaged }
    let digest = SHA256.digest(bytes.span.extracting(..<end))
    guard bytes[end...].elementsEqual(digest) else { throw .damaged }
    let version = bytes[magic.count]
    guard version <= Self.version else { throw .laterVersion }
    guard version == Self.version, end >= headSize else { throw .damaged }
    var fields = Fields(bytes: bytes[(magic.count + 1)..<end])
    guard let floorCount = fields.number(ofSize: countSize), floorCount <= ReplayLedger.maximumFloorCount,
      let recordCount = fields.number(ofSize: countSize)
    else { throw .damaged }
    // The number of records follows from the length. The one in the file must agree, but is not trusted.
    let size = end - headSize - Int(floorCount) * floorSize
    guard size >= 0, size.isMultiple(of: recordSize), UInt64(size / recordSize) == recordCount else {
      throw .damaged
    }
    var floors: [ReplayLedger.Floor] = []
    for _ in 0..<floorCount {
      guard let sender = fields.hash(), let issuedAt = fields.time() else { throw .damaged }
      floors.append(.init(sender: sender, issuedAt: issuedAt))
    }
    var records: [ReplayRecord] = []
    records.reserveCapacity(size / recordSize)
    for _ in 0..<recordCount {
      guard let sender = fields.hash(), let key = fields.hash(), let content = fields.hash(),
        let issuedAt = fields.time(), let expiresAt = fields.time()
      else { throw .damaged }
      records.append(
        ReplayRecord(sender: sender, key: key, content: content, issuedAt: issuedAt, expiresAt: expiresAt))
    }
    return (records, floors)
  }

  /// The fields of a file, from the front; nil where it ends too early.
  private struct Fields {
    private var bytes: ArraySlice<UInt8>

    init(bytes: ArraySlice<UInt8>) { self.bytes = bytes }

    mutating func number(ofSize size: Int) -> UInt64? {
      take(size: size).map { $0.reduce(0) { $0 << 8 | UInt64($1) } }
    }

    mutating func hash() -> ReplayHash? { take(size: ReplayHash.size).map(ReplayHash.init) }

    mutating func time() -> UnixTime? {
      number(ofSize: ReplayFileFormat.timeSize).flatMap { Int64(exactly: $0) }.flatMap(
        UnixTime.init(seconds:))
    }

    private mutating func take(size: Int) -> ArraySlice<UInt8>? {
      guard bytes.count >= size else { return nil }
      defer { bytes = bytes.dropFirst(size) }
      return bytes.prefix(size)
    }
  }

  private static func append(_ number: some FixedWidthInteger, to bytes: inout [UInt8]) {
    for shift in stride(from: number.bitWidth - 8, through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: number >> shift))
    }
  }
}
