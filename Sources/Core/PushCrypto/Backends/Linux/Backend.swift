#if !canImport(CryptoKit)
  /// The libraries behind this module's types: libsodium and OpenSSL.
  enum Backend {
    typealias X25519 = SodiumX25519
    typealias P256 = OpenSSLP256
    typealias Ed25519 = SodiumEd25519
    typealias HMAC = OpenSSLHMAC
    typealias ChaChaPoly = SodiumChaChaPoly
    typealias AESGCM = OpenSSLAESGCM
    typealias Base64 = SodiumBase64
    typealias Argon2id = SodiumArgon2id
    typealias XChaChaPoly = SodiumXChaChaPoly
    typealias XSalsaPoly = SodiumXSalsaPoly
    typealias SealedBox = SodiumSealedBox
    typealias PaddedAES = OpenSSLPaddedAES
    typealias PasswordKey = OpenSSLPasswordKey
    typealias XWing = OpenSSLXWing
    typealias Lanes = CryptoMB

    /// The libraries, with their running versions.
    static var libraries: [(name: String, version: String)] {
      [("OpenSSL", OpenSSL.version), ("libsodium", Sodium.version)]
    }
  }
#endif
