#if canImport(CryptoKit)
  /// Which library computes what, under the types of this module: CryptoKit, and CommonCrypto for AES-CBC and
  /// PBKDF2.
  ///
  /// The Secure Enclave's keys come in from outside, as a ``KeyAgreement``.
  enum Backend {
    typealias X25519 = CryptoKitX25519
    typealias P256 = CryptoKitP256
    typealias Ed25519 = CryptoKitEd25519
    typealias ChaChaPoly = CryptoKitChaChaPoly
    typealias AESGCM = CryptoKitAESGCM
    typealias Base64 = FoundationBase64
    typealias Argon2id = NoArgon2id
    typealias XChaChaPoly = NoXChaChaPoly
    typealias XSalsaPoly = NoXSalsaPoly
    typealias SealedBox = NoSealedBox
    typealias PaddedAES = CommonCryptoPaddedAES
    typealias PasswordKey = CryptoKitPasswordKey

    /// HMAC with SHA-256.
    static func hmac() -> any HMACState { CryptoKitHMAC() }

    /// Null: there is no quicker one.
    static func quickHMAC() -> (any HMACState)? { nil }
  }
#endif
