internal import PushCrypto

/// The beginning of a blob (RFC 8188, 2.1): salt 16, record size 4, length of the key id 1, which is 0 here.
struct BlobHeader {
  /// The length of a salt, in bytes.
  static let saltSize = 16

  /// What the key is derived with.
  let salt: [UInt8]

  /// The length of the records, in bytes.
  let recordSize: Int

  init(salt: [UInt8], recordSize: Int) {
    self.salt = salt
    self.recordSize = recordSize
  }

  /// Reads the 21 bytes; null if there is a key id.
  init?(decoding bytes: Span<UInt8>) {
    precondition(bytes.count == BlobLayout.headerSize, "a header has 21 bytes")
    guard bytes[20] == 0 else { return nil }
    salt = [UInt8](copying: bytes.extracting(0..<16))
    recordSize = (16..<20).reduce(0) { $0 << 8 | Int(bytes[$1]) }
  }

  /// The 21 bytes.
  func encoded() -> [UInt8] { salt + [UInt8](bigEndian: recordSize, count: 4) + [0] }
}
