/// Why a cryptographic operation was refused.
package enum CryptoError: Error, Equatable, Sendable {
  /// A public key has the wrong length or form, is not on the curve, or has a small order.
  case invalidPublicKey

  /// A private key has the wrong length or is out of range.
  case invalidPrivateKey

  /// The ciphertext did not open, for whatever reason.
  case notAuthentic

  /// A context has no sequence numbers left (RFC 9180, 5.2).
  case messageLimitReached

  /// The system's library does not provide the algorithm (CryptoKit lacks some, and OpenSSL's configuration can
  /// disable some), or memory ran out.
  case unavailable

  /// The private key is stored elsewhere and cannot be used until the device is first unlocked.
  case keyLocked

  /// The private key is stored elsewhere and cannot be used for another reason.
  case keyUnavailable
}
