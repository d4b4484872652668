internal import PushCore
internal import PushCrypto

/// What the MAC of a row of `device` covers: all that a sealer and a worker use of the row but its registration's line, in an
/// encoding that no two rows share.
///
/// The label, and then each column: a byte that says whether it is null, its length in four bytes, big endian, and its bytes.
/// Truth values take a byte, and numbers eight.
package struct RowImage: Equatable, Sendable {
  private(set) var bytes: [UInt8] = []

  private static let label: StaticString = "sealedpush device row 1\n"

  fileprivate init() {}

  /// The image of a row that is to be written.
  init(of row: DeviceRow) {
    begin()
    for text in [
      row.name, row.person, row.persons, row.topic, row.environment, row.token, row.identity, row.keys,
    ] {
      guard let text else {
        unsafe append(field: nil)
        continue
      }
      unsafe Array(text.utf8).withUnsafeBytes { unsafe append(field: $0) }
    }
    append(row.proof.number, [row.hasToken, row.isLost, row.isPending])
  }

  /// Begins another image in the same memory.
  fileprivate mutating func begin() {
    bytes.removeAll(keepingCapacity: true)
    Self.label.withUTF8Buffer { unsafe bytes.append(contentsOf: $0) }
  }

  fileprivate mutating func append(_ number: Int64, _ flags: [Bool]) {
    unsafe withUnsafeBytes(of: number.bigEndian) { unsafe bytes.append(contentsOf: $0) }
    for flag in flags { bytes.append(flag ? 1 : 0) }
  }

  /// Adds a column's bytes; nil if it is null.
  @unsafe package mutating func append(field: UnsafeRawBufferPointer?) {
    guard let field = unsafe field else { return bytes.append(0) }
    bytes.append(1)
    unsafe withUnsafeBytes(of: UInt32(clamping: field.count).bigEndian) {
      unsafe bytes.append(contentsOf: $0)
    }
    unsafe bytes.append(contentsOf: field)
  }

  /// The first bytes of the image.
  fileprivate func prefix(_ size: Int) -> RowImage {
    var image = self
    image.bytes.removeLast(bytes.count - size)
    return image
  }
}

/// Computes and verifies the MACs of rows under a ``RowKey``, for one thread.
///
/// The column `mac` has the SHA-256 of the registration's line, and the HMAC-SHA256 of the row's image and that digest. So a
/// look-up verifies its row without reading the line, and who reads the line compares its digest.
package final class RowSeal {
  /// The key's ID.
  package let keyID: String
  /// Encrypts the proofs in the registrations' lines.
  let proofs: ProofSeal
  private let hmac: HMACSHA256

  package init(_ key: RowKey) {
    keyID = key.id
    proofs = key.proofs
    hmac = key.hmac()
  }

  /// The MAC of a row that is to be written: 86 characters of base64url.
  package func mac(of row: DeviceRow) -> String {
    mac(of: RowImage(of: row), line: Array(row.registration.utf8))
  }

  /// The MAC of a row with this image and this registration's line.
  func mac(of image: RowImage, line: [UInt8]) -> String {
    let digest = SHA256.digest(line.span)
    let code = self.code(of: image, digest: digest.span)
    return Base64URL.encode((digest + [UInt8](copying: code.exposedBytes)).span)
  }

  /// Whether the MAC is that of the image, whatever the line is.
  func isAuthentic(_ image: RowImage, mac: [UInt8]?) -> Bool {
    guard let (digest, code) = Self.parts(of: mac) else { return false }
    let own = self.code(of: image, digest: digest.span)
    return ConstantTime.equal(own.exposedBytes, code.span)
  }

  /// Whether the MAC is that of the image and the line.
  func isAuthentic(_ image: RowImage, line: [UInt8], mac: [UInt8]?) -> Bool {
    guard let (digest, _) = Self.parts(of: mac), SHA256.digest(line.span) == digest else { return false }
    return isAuthentic(image, mac: mac)
  }

  private func code(of image: RowImage, digest: Span<UInt8>) -> Secret {
    hmac.restart()
    hmac.update(image.bytes.span)
    hmac.update(digest)
    return hmac.finish()
  }

  private static func parts(of mac: [UInt8]?) -> (digest: [UInt8], code: [UInt8])? {
    guard let mac, mac.count == textSize, let bytes = try? Base64URL.decode(mac.span),
      bytes.count == SHA256.digestSize + HMACSHA256.codeSize
    else { return nil }
    return (Array(bytes.prefix(SHA256.digestSize)), Array(bytes.dropFirst(SHA256.digestSize)))
  }

  /// The length of a MAC in the column.
  static let textSize = Base64URL.encodedSize(of: SHA256.digestSize + HMACSHA256.codeSize)
}

/// The columns of `device` that its MAC covers, and the MAC.
package struct SealedColumns: RowColumns {
  private let texts: [Column]
  private let hasToken, proof, lost, pending: Column
  fileprivate let mac: Column

  package init(in names: some ColumnNames) {
    texts = ["name", "person", "persons", "topic", "environment", "token", "identity", "keys"].map {
      names.column($0)
    }
    hasToken = names.column("has_token")
    proof = names.column("proof")
    lost = names.column("lost")
    pending = names.column("pending")
    mac = names.column("mac")
  }

  /// Writes the image of a row over another one.
  fileprivate func write(_ row: borrowing some StoreRow & ~Copyable, over image: inout RowImage) {
    image.begin()
    for column in texts { row.append(column, to: &image) }
    image.append(
      row.integer(in: proof), [row.boolean(in: hasToken), row.boolean(in: lost), row.boolean(in: pending)])
  }

  /// The image of a row, and its MAC.
  package func sealed(
    in row: borrowing some StoreRow & ~Copyable
  ) -> (image: RowImage, mac: [UInt8]?) {
    var image = RowImage()
    write(row, over: &image)
    return (image, row.bytes(in: mac, atMost: RowSeal.textSize + 1))
  }
}

/// Reads rows of `device`, with the key if the store has one, and remembers the devices that it has read lately.
package final class RowReader {
  private let seal: RowSeal?
  private let cache: DeviceCache
  private var image = RowImage()
  private var fault: RowKeyFault?

  package init(_ seal: RowSeal?, cache: DeviceCache = DeviceCache()) {
    (self.seal, self.cache) = (seal, cache)
  }

  /// Whether rows are verified.
  package var verifies: Bool { seal != nil }

  /// The device that `read` makes of a row, or the cache has of it; nil if something else has written the row.
  ///
  /// With a key, the cache has it only if the row's bytes are those that were verified: whoever writes a row can leave its
  /// version as it was.
  func device(
    in row: borrowing some StoreRow & ~Copyable, of columns: SealedColumns, version: Int64,
    quarantinedAt: Double?, read: () -> StoredDevice?
  ) -> StoredDevice? {
    guard let seal else {
      guard isOpen(row, columns) else { return nil }
      return cache.device(version: version, quarantinedAt: quarantinedAt, read: read)
    }
    columns.write(row, over: &image)
    let size = image.bytes.count
    row.append(columns.mac, to: &image)
    return cache.device(version: version, quarantinedAt: quarantinedAt, image: image.bytes) {
      let mac = row.bytes(in: columns.mac, atMost: RowSeal.textSize + 1)
      return seal.isAuthentic(image.prefix(size), mac: mac) ? read() : nil
    }
  }

  /// What `read` makes of a row's line, with its proof decrypted; nil if something else has written the row.
  func registration<Value>(
    in row: borrowing some StoreRow & ~Copyable, of columns: SealedColumns, line: [UInt8],
    read: ([UInt8]) -> Value?
  ) -> Value? {
    guard let seal else { return isOpen(row, columns) ? read(line) : nil }
    let (image, mac) = columns.sealed(in: row)
    guard seal.isAuthentic(image, line: line, mac: mac) else { return nil }
    return seal.proofs.opening(line).flatMap(read)
  }

  /// Why the last row was not read; nil if it is damaged.
  package func takeFault() -> RowKeyFault? {
    defer { fault = nil }
    return fault
  }

  /// Whether a row has no MAC, so that it is read without a key.
  private func isOpen(_ row: borrowing some StoreRow & ~Copyable, _ columns: SealedColumns) -> Bool {
    if row.isNull(columns.mac) { return true }
    fault = .missing
    return false
  }
}
