internal import PushCrypto

/// A body in the content coding `aes128gcm` with one record, as Web Push has it (RFC 8188, 2.1; RFC 8291, 4).
struct WebPushBody {
  /// salt (16) || rs (4) || idlen (1) = 65 || as_public (65).
  static let headerSize = publicKeyStart + P256.publicKeySize

  /// The shortest body: header, delimiter and tag.
  static let minimumSize = headerSize + 1 + AEAD.tagSize

  /// The record size that is written, in bytes: the usual one, which is also the largest body that every push
  /// service takes.
  static let recordSize = 4096

  private static let publicKeyStart = WebPushCipher.saltSize + 4 + 1
  private static let smallestRecordSize = 18

  let recordSize: Int
  let salt: [UInt8]
  let publicKey: [UInt8]
  let record: [UInt8]

  /// Takes a body apart; null unless it is one record under a point's 65 bytes, not judged yet.
  init?(_ bytes: [UInt8]) {
    guard bytes.count >= Self.minimumSize, Int(bytes[Self.publicKeyStart - 1]) == P256.publicKeySize,
      bytes[Self.publicKeyStart] == 0x04
    else { return nil }
    recordSize = bytes[16..<20].reduce(0) { $0 << 8 | Int($1) }
    salt = Array(bytes[..<WebPushCipher.saltSize])
    publicKey = Array(bytes[Self.publicKeyStart..<Self.headerSize])
    record = Array(bytes[Self.headerSize...])
    // A record that is longer than rs would be several, of which Web Push has none.
    guard recordSize >= Self.smallestRecordSize, record.count <= recordSize else { return nil }
  }

  /// The header of a body that is written.
  static func header(salt: [UInt8], publicKey: [UInt8]) -> [UInt8] {
    salt + [UInt8](bigEndian: recordSize, count: 4) + [UInt8(P256.publicKeySize)] + publicKey
  }

  /// The data of a record that was opened, before its delimiter; null if there is no delimiter of a last record.
  static func data(ofRecord record: Span<UInt8>) -> [UInt8]? {
    var end = record.count
    while end > 0, record[end - 1] == 0 { end -= 1 }
    // RFC 8188, 2: "the last record uses a padding delimiter octet set to the value 2"
    guard end > 0, record[end - 1] == 2 else { return nil }
    return [UInt8](copying: record.extracting(0..<end - 1))
  }
}
