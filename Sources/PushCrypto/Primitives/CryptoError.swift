/// Why a cryptographic operation was refused.
package enum CryptoError: Error, Equatable, Sendable {
  /// A public key has the wrong length or form, is not on the curve, or has a small order.
  case invalidPublicKey

  /// A private key has the wrong length or is out of range.
  case invalidPrivateKey

  /// The ciphertext did not open. Why is not said.
  case notAuthentic

  /// A context has used up its sequence numbers (RFC 9180, 5.2).
  case messageLimitReached

  /// The system's library has no such algorithm, as CryptoKit lacks some and OpenSSL's configuration can
  /// bring about, or no memory left.
  case unavailable

  /// The private key is kept elsewhere, and cannot be used before the phone is first unlocked.
  case keyLocked

  /// The private key is kept elsewhere, and cannot be used for another reason.
  case keyUnavailable
}
