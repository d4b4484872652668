#if !canImport(CryptoKit)
  internal import COpenSSL

  /// SHA-256 (FIPS 180-4).
  package enum SHA256 {
    /// The length of a digest, in bytes.
    package static let digestSize = 32

    /// The digest of `bytes`.
    package static func digest(_ bytes: Span<UInt8>) -> [UInt8] {
      var state = SHA256_CTX()
      var digest = [UInt8](repeating: 0, count: digestSize)
      let isComputed = unsafe bytes.withPointer { bytes, count in
        unsafe SHA256_Init(&state) == 1 && SHA256_Update(&state, bytes, count) == 1
          && SHA256_Final(&digest, &state) == 1
      }
      precondition(isComputed, "SHA-256 takes any bytes")
      return digest
    }
  }

  /// Incremental SHA-256 from OpenSSL, which is faster than libsodium on long input.
  ///
  /// For public data only: the state is not wiped.
  @safe
  package struct IncrementalSHA256: ~Copyable, @unchecked Sendable {
    private let context: OpaquePointer

    /// Starts a digest.
    ///
    /// - Throws: ``CryptoError/unavailable``.
    package init() throws(CryptoError) {
      guard OpenSSL.start(), let context = unsafe OpenSSL.keepingErrors(Self.start) else {
        throw .unavailable
      }
      unsafe self.context = unsafe context
    }

    private static func start() -> OpaquePointer? {
      guard let context = unsafe EVP_MD_CTX_new() else { return nil }
      guard unsafe EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1 else {
        unsafe EVP_MD_CTX_free(context)
        return nil
      }
      return unsafe context
    }

    deinit { unsafe EVP_MD_CTX_free(context) }

    /// Adds `bytes` to the digest's input.
    package func update(_ bytes: Span<UInt8>) {
      let code = unsafe bytes.withPointer { bytes, count in unsafe EVP_DigestUpdate(context, bytes, count) }
      precondition(code == 1, "a digest that was started takes any bytes")
    }

    /// The digest, 32 bytes.
    package consuming func finish() -> [UInt8] {
      var digest = [UInt8](repeating: 0, count: SHA256.digestSize)
      precondition(unsafe EVP_DigestFinal_ex(context, &digest, nil) == 1, "a digest that was started ends")
      return digest
    }
  }
#endif
