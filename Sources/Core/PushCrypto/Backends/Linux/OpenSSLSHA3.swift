#if !canImport(CryptoKit)
  internal import COpenSSL

  /// A computation of SHA3-256 or SHAKE256 (FIPS 202) by OpenSSL, which wipes the state when it frees it.
  @safe
  struct OpenSSLSHA3: ~Copyable {
    enum Function: String, CaseIterable {
      case sha3_256 = "SHA3-256"
      case shake256 = "SHAKE256"
    }

    private let context: OpaquePointer
    private let function: Function

    /// Whether the running library has both functions.
    static let isAvailable = OpenSSL.keepingErrors {
      Function.allCases.allSatisfy { OpenSSLSHA3($0) != nil }
    }

    /// Begins a computation; nil if the library lacks the function, or memory ran out.
    ///
    /// ``isAvailable`` has started the library.
    init?(_ function: Function) {
      guard let digest = unsafe EVP_MD_fetch(nil, function.rawValue, nil) else { return nil }
      // The context keeps its own reference to the digest.
      defer { unsafe EVP_MD_free(digest) }
      guard let context = unsafe EVP_MD_CTX_new() else { return nil }
      guard unsafe EVP_DigestInit_ex2(context, digest, nil) == 1 else {
        unsafe EVP_MD_CTX_free(context)
        return nil
      }
      unsafe self.context = unsafe context
      self.function = function
    }

    deinit { unsafe EVP_MD_CTX_free(context) }

    /// Adds bytes to the input.
    func update(_ bytes: Span<UInt8>) {
      let status = unsafe bytes.withPointer { bytes, count in
        unsafe EVP_DigestUpdate(context, bytes, count)
      }
      precondition(status == 1, "a digest takes bytes")
    }

    /// The first `count` bytes of the result; SHA3-256 has 32.
    consuming func finish(count: Int) -> Secret {
      var status: CInt = 0
      let result = Secret(count: count) { output in
        status = unsafe output.withPointer { bytes, count in
          switch function {
          case .sha3_256: unsafe EVP_DigestFinal_ex(context, bytes, nil)
          case .shake256: unsafe EVP_DigestFinalXOF(context, bytes, count)
          }
        }
      }
      precondition(status == 1, "a digest ends")
      return result
    }
  }
#endif
