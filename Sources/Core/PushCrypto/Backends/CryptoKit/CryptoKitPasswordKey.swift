#if canImport(CryptoKit)
  #if canImport(CommonCrypto)
    internal import CommonCrypto
  #endif
  internal import CryptoKit

  /// Password-based key derivation with CommonCrypto and CryptoKit.
  ///
  /// ``PBKDF2`` and ``EVPBytesToKey`` have checked lengths and iterations. `false` means that the digest is
  /// unavailable.
  enum CryptoKitPasswordKey {
    #if canImport(CommonCrypto)
      static func hasPBKDF2(_ digest: Digest) -> Bool { pseudoRandomFunction(digest) != nil }

      static func pbkdf2(
        of password: Span<UInt8>, salt: Span<UInt8>, iterations: Int, digest: Digest,
        into key: inout MutableSpan<UInt8>
      ) -> Bool {
        guard let function = pseudoRandomFunction(digest) else { return false }
        return unsafe key.withPointer { output, count in
          unsafe password.withPointer { password, passwordCount in
            unsafe salt.withPointer { salt, saltCount in
              unsafe password.withMemoryRebound(to: CChar.self, capacity: passwordCount) { password in
                let status = unsafe CCKeyDerivationPBKDF(
                  CCPBKDFAlgorithm(kCCPBKDF2), password, passwordCount, salt, saltCount,
                  CCPseudoRandomAlgorithm(function), UInt32(iterations), output, count)
                return Int(status) == kCCSuccess
              }
            }
          }
        }
      }

      private static func pseudoRandomFunction(_ digest: Digest) -> Int? {
        switch digest {
        case .md5: nil
        case .sha1: Int(kCCPRFHmacAlgSHA1)
        case .sha256: Int(kCCPRFHmacAlgSHA256)
        case .sha512: Int(kCCPRFHmacAlgSHA512)
        }
      }
    #else
      static func hasPBKDF2(_ digest: Digest) -> Bool { false }

      static func pbkdf2(
        of password: Span<UInt8>, salt: Span<UInt8>, iterations: Int, digest: Digest,
        into key: inout MutableSpan<UInt8>
      ) -> Bool { false }
    #endif

    static func bytesToKey(
      of password: Span<UInt8>, salt: Span<UInt8>, digest: Digest, into key: inout MutableSpan<UInt8>
    ) -> Bool {
      switch digest {
      case .md5: bytesToKey(password, salt, Insecure.MD5.self, into: &key)
      case .sha1: bytesToKey(password, salt, Insecure.SHA1.self, into: &key)
      case .sha256: bytesToKey(password, salt, CryptoKit.SHA256.self, into: &key)
      case .sha512: bytesToKey(password, salt, SHA512.self, into: &key)
      }
      return true
    }

    /// Fills `key` with D(1) | D(2) | …, where D(i) = H(D(i-1) | password | salt).
    private static func bytesToKey<Function: HashFunction>(
      _ password: Span<UInt8>, _ salt: Span<UInt8>, _: Function.Type, into key: inout MutableSpan<UInt8>
    ) {
      let size = Function.Digest.byteCount
      var written = 0
      while written < key.count {
        var function = Function()
        if written > 0 { function.update(key.span.extracting(written - size..<written)) }
        function.update(password)
        function.update(salt)
        let digest = Secret(copyingContents: function.finalize(), count: size)
        let bytes = digest.exposedBytes
        for index in 0..<min(size, key.count - written) { key[written + index] = bytes[index] }
        written += size
      }
    }
  }

  extension HashFunction {
    /// Adds `bytes` to the digest's input.
    fileprivate mutating func update(_ bytes: Span<UInt8>) {
      unsafe bytes.withUnsafeBytes { unsafe update(bufferPointer: $0) }
    }
  }
#endif
