internal import PushCrypto

/// Encrypts or decrypts a blob's records in order (RFC 8188, 2.2 and 2.3).
struct RecordCipher: ~Copyable {
  private let key: Secret
  private let baseNonce: Secret
  private var sequenceNumber: UInt64 = 0

  /// Derives the key and the base nonce from a blob's salt and key.
  init(salt: Span<UInt8>, key: Span<UInt8>) {
    // PRK = HMAC-SHA-256(salt, IKM)
    let prk = HKDFSHA256.extract(salt: salt) { $0.update(key) }
    // CEK = HMAC-SHA-256(PRK, "Content-Encoding: aes128gcm" || 0x00 || 0x01), cut to 16 bytes
    self.key = HKDFSHA256.expand(prk.exposedBytes, count: AEAD.aes128GCM.keySize) {
      $0.update("Content-Encoding: aes128gcm\0")
    }
    // NONCE = HMAC-SHA-256(PRK, "Content-Encoding: nonce" || 0x00 || 0x01) XOR SEQ, cut to 12 bytes
    baseNonce = HKDFSHA256.expand(prk.exposedBytes, count: AEAD.nonceSize) {
      $0.update("Content-Encoding: nonce\0")
    }
  }

  /// Encrypts the next record: content, delimiter and padding.
  ///
  /// - Throws: `CryptoError.unavailable`.
  mutating func seal(_ record: borrowing RecordMemory, into sealed: inout RecordMemory) throws(CryptoError) {
    let nonce = nextNonce()
    let (key, record) = (key.exposedBytes, record.bytes)
    try sealed.fill(count: record.count + AEAD.tagSize) { bytes throws(CryptoError) in
      try AEAD.aes128GCM.seal(
        record, authenticating: Span(), key: key, nonce: nonce.exposedBytes, into: &bytes)
    }
  }

  /// Decrypts the next record.
  ///
  /// - Throws: `CryptoError.notAuthentic`, `CryptoError.unavailable`.
  mutating func open(_ sealed: borrowing RecordMemory, into record: inout RecordMemory) throws(CryptoError) {
    guard sealed.count >= AEAD.tagSize else { throw .notAuthentic }
    let nonce = nextNonce()
    let (key, sealed) = (key.exposedBytes, sealed.bytes)
    try record.fill(count: sealed.count - AEAD.tagSize) { bytes throws(CryptoError) in
      try AEAD.aes128GCM.open(
        sealed, authenticating: Span(), key: key, nonce: nonce.exposedBytes, into: &bytes)
    }
  }

  private mutating func nextNonce() -> Secret {
    let sequence = [UInt8](bigEndian: sequenceNumber, count: AEAD.nonceSize)
    sequenceNumber += 1
    let base = baseNonce.exposedBytes
    return Secret(count: AEAD.nonceSize) { nonce in
      for index in 0..<AEAD.nonceSize { nonce[index] = base[index] ^ sequence[index] }
    }
  }
}

/// The byte between a record's content and its padding (RFC 8188, 2).
enum RecordDelimiter: UInt8 {
  /// Another record follows.
  case inner = 1
  /// This is the last record.
  case last = 2

  init(isLast: Bool) { self = isLast ? .last : .inner }
}
