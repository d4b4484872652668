/// A private key that agrees on a shared secret where it is kept: DH(skR, ·) of RFC 9180, 4.1.
///
/// It need not be readable, and belongs to one KEM.
package protocol KeyAgreement: Sendable {
  /// DH(skR, pkE), 32 bytes; `pkE` is a serialized public key that the KEM has validated.
  ///
  /// - Throws: ``CryptoError/keyLocked`` or ``CryptoError/keyUnavailable`` if the key cannot be used,
  ///   ``CryptoError/invalidPublicKey``, ``CryptoError/invalidPrivateKey``, ``CryptoError/notAuthentic``.
  func sharedSecret(with pkE: Span<UInt8>) throws(CryptoError) -> Secret
}
