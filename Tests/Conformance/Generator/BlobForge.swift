import PushCrypto
import PushCore
import PushTesting
import TestSupport

/// Makes blobs record by record, so that a vector can have one fault, or be another sealer's.
struct BlobForge {
  /// What key and salt follow from.
  let label: String
  var recordSize = 65536
  var keyID: [UInt8] = []
  /// The plaintexts, each with its delimiter.
  var records: [[UInt8]]
  /// The number that the first record is encrypted with.
  var firstNumber: UInt8 = 0
  var aad: [UInt8] = []

  init(_ label: String, _ records: [[UInt8]] = [Array("Lunch".utf8) + [2]]) {
    self.label = label
    self.records = records
  }

  var key: [UInt8] { Array(FixedRandomness.bytes(of: label).prefix(16)) }
  var salt: [UInt8] { Array(FixedRandomness.bytes(of: label).suffix(16)) }

  func blob() throws -> [UInt8] {
    let (key, salt) = (key, salt)
    let prk = HKDFSHA256.extract(salt: salt.span) { $0.update(key.span) }
    let contentKey = HKDFSHA256.expand(prk.exposedBytes, count: 16) {
      $0.update("Content-Encoding: aes128gcm\0")
    }
    let base = HKDFSHA256.expand(prk.exposedBytes, count: 12) { $0.update("Content-Encoding: nonce\0") }
    var blob = salt + [UInt8](bigEndian: recordSize, count: 4) + [UInt8(keyID.count)] + keyID
    for (index, record) in records.enumerated() {
      var nonce = [UInt8](copying: base.exposedBytes)
      nonce[11] ^= firstNumber + UInt8(index)
      blob += try AEAD.aes128GCM.seal(
        record.span, authenticating: aad.span, key: contentKey.exposedBytes, nonce: nonce.span)
    }
    return blob
  }

  /// A descriptor of a blob under this forge's key.
  func descriptor(of blob: [UInt8], type: String = "image/png") -> JSONObject {
    let (key, digest) = (key, SHA256.digest(blob.span))
    return [
      "url": .string("https://cdn.example.com/\(label)"), "key": .string(Base64URL.encode(key.span)),
      "sha256": .string(Base64URL.encode(digest.span)), "size": .number(JSONNumber(blob.count)),
      "type": .string(type),
    ]
  }
}
