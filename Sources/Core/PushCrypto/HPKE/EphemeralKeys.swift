/// Ephemeral key pairs, each for one message.
///
/// Making them together takes less time than one by one. All are wiped with this object.
final class EphemeralKeys: Encapsulator {
  private let kem: DHKEM
  private let hmac: HMACSHA256
  private let privateKeys: Secret
  private let publicKeys: [UInt8]
  private var usedCount = 0

  /// Makes `count` key pairs: `fill` writes the private keys and returns the public ones.
  init(
    kem: DHKEM, count: Int, hmac: HMACSHA256, filledBy fill: (inout MutableSpan<UInt8>) -> [UInt8]?
  ) throws(CryptoError) {
    var publicKeys: [UInt8]?
    let privateKeys = Secret(count: count * DHKEM.privateKeySize) { publicKeys = fill(&$0) }
    guard let publicKeys else { throw .invalidPrivateKey }
    self.kem = kem
    self.hmac = hmac
    self.privateKeys = privateKeys
    self.publicKeys = publicKeys
  }

  /// Encap(pkR) (RFC 9180, 4.1), with the next key pair.
  func encapsulate(to pkR: Span<UInt8>) throws(CryptoError) -> Encapsulation {
    precondition(usedCount * kem.publicKeySize < publicKeys.count, "a key pair serves one message")
    defer { usedCount += 1 }
    return try encapsulate(to: pkR, position: usedCount, privateKeys: privateKeys, publicKeys: publicKeys)
  }

  private func encapsulate(
    to pkR: Span<UInt8>, position: Int, privateKeys: borrowing Secret, publicKeys: [UInt8]
  ) throws(CryptoError) -> Encapsulation {
    let skE = privateKeys.exposedBytes.item(position, size: DHKEM.privateKeySize)
    let pkE = publicKeys.span.item(position, size: kem.publicKeySize)
    return try kem.encapsulate(to: pkR, skE: skE, pkE: pkE, by: hmac)
  }
}
