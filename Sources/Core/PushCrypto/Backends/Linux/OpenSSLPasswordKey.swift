#if !canImport(CryptoKit)
  internal import COpenSSL

  /// Password-based key derivation with OpenSSL.
  ///
  /// ``PBKDF2`` and ``EVPBytesToKey`` have checked lengths and iterations. `false` means that the digest is unavailable.
  enum OpenSSLPasswordKey {
    static func hasPBKDF2(_ digest: Digest) -> Bool { unsafe function(for: digest) != nil }

    static func pbkdf2(
      of password: Span<UInt8>, salt: Span<UInt8>, iterations: Int, digest: Digest,
      into key: inout MutableSpan<UInt8>
    ) -> Bool {
      OpenSSL.keepingErrors {
        guard OpenSSL.start() else { return false }
        return unsafe key.withPointer { output, count in
          unsafe password.withPointer { password, passwordCount in
            unsafe salt.withPointer { salt, saltCount in
              unsafe password.withMemoryRebound(to: CChar.self, capacity: passwordCount) { password in
                unsafe PKCS5_PBKDF2_HMAC(
                  password, CInt(passwordCount), salt, CInt(saltCount), CInt(iterations),
                  function(for: digest),
                  CInt(count), output) == 1
              }
            }
          }
        }
      }
    }

    static func bytesToKey(
      of password: Span<UInt8>, salt: Span<UInt8>, digest: Digest, into key: inout MutableSpan<UInt8>
    ) -> Bool {
      OpenSSL.keepingErrors {
        guard OpenSSL.start() else { return false }
        return unsafe key.withPointer { output, _ in
          unsafe password.withPointer { password, passwordCount in
            unsafe salt.withPointer { salt, _ in
              unsafe EVP_BytesToKey(
                EVP_aes_256_cbc(), function(for: digest), salt, password, CInt(passwordCount), 1, output,
                output + 32
              )
                == 32
            }
          }
        }
      }
    }

    private static func function(for digest: Digest) -> OpaquePointer? {
      switch digest {
      case .md5: unsafe EVP_md5()
      case .sha1: unsafe EVP_sha1()
      case .sha256: unsafe EVP_sha256()
      case .sha512: unsafe EVP_sha512()
      }
    }
  }
#endif
