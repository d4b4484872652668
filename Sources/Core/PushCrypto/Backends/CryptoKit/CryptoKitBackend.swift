#if canImport(CryptoKit)
  /// The libraries behind this module's types: CryptoKit, and CommonCrypto for AES-CBC and PBKDF2.
  ///
  /// Secure Enclave keys come from outside this module, as a ``DecapsulationKey``.
  enum Backend {
    typealias X25519 = CryptoKitX25519
    typealias P256 = CryptoKitP256
    typealias Ed25519 = CryptoKitEd25519
    typealias HMAC = CryptoKitHMAC
    typealias ChaChaPoly = CryptoKitChaChaPoly
    typealias AESGCM = CryptoKitAESGCM
    typealias Base64 = FoundationBase64
    typealias PaddedAES = CommonCryptoPaddedAES
    typealias PasswordKey = CryptoKitPasswordKey
    typealias XWing = CryptoKitXWing
    typealias Lanes = NoLanes

    // On a Mac, with the package's trait `Sodium`.
    #if canImport(CSodium)
      typealias Argon2id = SodiumArgon2id
      typealias XChaChaPoly = SodiumXChaChaPoly
      typealias XSalsaPoly = SodiumXSalsaPoly
      typealias SealedBox = SodiumSealedBox

      /// The libraries beside the system's own, with their running versions.
      static var libraries: [(name: String, version: String)] { [("libsodium", Sodium.version)] }
    #else
      typealias Argon2id = NoArgon2id
      typealias XChaChaPoly = NoXChaChaPoly
      typealias XSalsaPoly = NoXSalsaPoly
      typealias SealedBox = NoSealedBox

      /// The libraries beside the system's own: none.
      static var libraries: [(name: String, version: String)] { [] }
    #endif
  }
#endif
