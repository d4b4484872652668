/// A KEM's private key in memory.
package struct SoftwareKey: KeyAgreement {
  private let kem: DHKEM
  private let secret: SharedSecret

  /// Takes a serialized private key, which is checked when it is used.
  package init(_ kem: DHKEM, _ secret: SharedSecret) {
    self.kem = kem
    self.secret = secret
  }

  /// DH(skR, pkE), which validates pkE.
  package func sharedSecret(with pkE: Span<UInt8>) throws(CryptoError) -> Secret {
    try kem.sharedSecret(secret.exposedBytes, pkE)
  }
}
