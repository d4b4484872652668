#if !canImport(CryptoKit)
  internal import COpenSSL

  /// A key of ML-KEM-768 (FIPS 203) from OpenSSL 3.5 or later.
  ///
  /// The algorithm is looked up by name, because this module is built with the headers of OpenSSL 3.0. OpenSSL wipes
  /// its private keys when it frees them.
  @safe
  package final class OpenSSLMLKEM768: Sendable {
    nonisolated(unsafe) private let key: OpaquePointer

    private static let name = "ML-KEM-768"

    /// Whether the running library has the algorithm, and its configuration allows it.
    static let isAvailable = OpenSSL.keepingErrors {
      guard OpenSSL.start(), let keys = unsafe EVP_KEYMGMT_fetch(nil, name, nil) else { return false }
      unsafe EVP_KEYMGMT_free(keys)
      guard let kem = unsafe EVP_KEM_fetch(nil, name, nil) else { return false }
      unsafe EVP_KEM_free(kem)
      return true
    }

    /// Makes a key pair from the 64 bytes d | z: ML-KEM.KeyGen_internal(d, z) (FIPS 203, 6.1).
    ///
    /// Nil if the library cannot make the pair.
    package convenience init?(seed: Span<UInt8>) {
      self.init(
        bytes: seed, parameter: OSSL_PKEY_PARAM_ML_KEM_SEED,
        selection: OSSL_KEYMGMT_SELECT_PRIVATE_KEY | OSSL_KEYMGMT_SELECT_PUBLIC_KEY)
    }

    /// Takes a public key that has been checked; nil if the library refuses it.
    package convenience init?(publicKey: Span<UInt8>) {
      self.init(
        bytes: publicKey, parameter: OSSL_PKEY_PARAM_PUB_KEY, selection: OSSL_KEYMGMT_SELECT_PUBLIC_KEY)
    }

    private init?(bytes: Span<UInt8>, parameter: String, selection: CInt) {
      let key: OpaquePointer? = unsafe OpenSSL.keepingErrors {
        guard OpenSSL.start(), let context = unsafe EVP_PKEY_CTX_new_from_name(nil, Self.name, nil) else {
          return nil
        }
        defer { unsafe EVP_PKEY_CTX_free(context) }
        guard unsafe EVP_PKEY_fromdata_init(context) == 1 else { return nil }
        var key: OpaquePointer?
        let status = unsafe Self.withParameter(parameter, bytes: bytes) { parameters in
          unsafe EVP_PKEY_fromdata(context, &key, selection, parameters)
        }
        guard status == 1 else { return nil }
        return unsafe key
      }
      guard let key = unsafe key else { return nil }
      unsafe self.key = unsafe key
    }

    deinit { unsafe EVP_PKEY_free(key) }

    /// The public key of a key pair, 1,184 bytes.
    package var publicKey: [UInt8]? {
      OpenSSL.keepingErrors {
        var bytes = [UInt8](repeating: 0, count: MLKEM768.publicKeySize)
        var count = 0
        let status = unsafe EVP_PKEY_get_octet_string_param(
          key, OSSL_PKEY_PARAM_PUB_KEY, &bytes, bytes.count, &count)
        return status == 1 && count == bytes.count ? bytes : nil
      }
    }

    /// Encapsulates a secret: writes the ciphertext, 1,088 bytes, and returns the shared secret (ML-KEM.Encaps(ek)).
    ///
    /// A test vector gives the 32 bytes of randomness m as `seed`; if nil, OpenSSL draws them.
    package func encapsulate(seed: Span<UInt8>?, into ciphertext: inout MutableSpan<UInt8>) -> Secret? {
      unsafe withContext { context in
        let status =
          if let seed {
            unsafe Self.withParameter(OSSL_KEM_PARAM_IKME, bytes: seed) {
              unsafe EVP_PKEY_encapsulate_init(context, $0)
            }
          } else {
            unsafe EVP_PKEY_encapsulate_init(context, nil)
          }
        guard status == 1 else { return nil }
        return unsafe Self.secret { secret, secretCount in
          unsafe ciphertext.withPointer { ciphertext, count in
            var ciphertextCount = count
            let status = unsafe EVP_PKEY_encapsulate(
              context, ciphertext, &ciphertextCount, secret, secretCount)
            return status == 1 && ciphertextCount == count
          }
        }
      }
    }

    /// Recovers the shared secret: ML-KEM.Decaps(dk, c).
    ///
    /// An altered ciphertext yields a secret that nobody else has.
    package func decapsulate(_ ciphertext: Span<UInt8>) -> Secret? {
      unsafe withContext { context in
        guard unsafe EVP_PKEY_decapsulate_init(context, nil) == 1 else { return nil }
        return unsafe Self.secret { secret, secretCount in
          unsafe ciphertext.withPointer { ciphertext, count in
            unsafe EVP_PKEY_decapsulate(context, secret, secretCount, ciphertext, count) == 1
          }
        }
      }
    }

    @unsafe private func withContext(_ body: (OpaquePointer) -> Secret?) -> Secret? {
      OpenSSL.keepingErrors { () -> Secret? in
        guard let context = unsafe EVP_PKEY_CTX_new_from_pkey(nil, key, nil) else { return nil }
        defer { unsafe EVP_PKEY_CTX_free(context) }
        return unsafe body(context)
      }
    }

    @unsafe private static func secret(
      filledBy fill: (UnsafeMutablePointer<UInt8>, UnsafeMutablePointer<Int>) -> Bool
    ) -> Secret? {
      var isDone = false
      let secret = Secret(count: MLKEM768.sharedSecretSize) { bytes in
        unsafe bytes.withPointer { bytes, count in
          var written = count
          isDone = unsafe fill(bytes, &written) && written == count
        }
      }
      guard isDone else { return nil }
      return secret
    }

    /// Calls `body` with a list that has one parameter.
    @unsafe private static func withParameter(
      _ name: String, bytes: Span<UInt8>, body: (UnsafeMutablePointer<OSSL_PARAM>) -> CInt
    ) -> CInt {
      unsafe name.withCString { name in
        unsafe bytes.withPointer { bytes, count in
          var parameters = unsafe [
            OSSL_PARAM_construct_octet_string(name, UnsafeMutablePointer(mutating: bytes), count),
            OSSL_PARAM_construct_end(),
          ]
          return unsafe body(&parameters)
        }
      }
    }
  }

  /// The name of the parameter for ML-KEM's seed, which the headers of OpenSSL 3.0 lack.
  private let OSSL_PKEY_PARAM_ML_KEM_SEED = "seed"
  /// The parameter of an encapsulation's randomness, which the headers of OpenSSL 3.0 do not name.
  private let OSSL_KEM_PARAM_IKME = "ikme"
#endif
