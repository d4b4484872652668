#if !canImport(CryptoKit)
  internal import COpenSSL
  internal import CSodium

  /// HMAC with SHA-256 from libsodium.
  @safe
  final class SodiumHMAC: HMACState {
    /// The code that is computed, and the state after the key.
    private let states: UnsafeMutablePointer<crypto_auth_hmacsha256_state>

    private var state: UnsafeMutablePointer<crypto_auth_hmacsha256_state> { unsafe states }
    private var keyed: UnsafeMutablePointer<crypto_auth_hmacsha256_state> { unsafe states + 1 }

    init() {
      unsafe states = .allocate(capacity: 2)
      unsafe states.initialize(repeating: crypto_auth_hmacsha256_state(), count: 2)
    }

    deinit {
      unsafe sodium_memzero(states, 2 * MemoryLayout<crypto_auth_hmacsha256_state>.stride)
      unsafe states.deallocate()
    }

    func start(key: Span<UInt8>) {
      unsafe key.withPointer { key, count in _ = unsafe crypto_auth_hmacsha256_init(keyed, key, count) }
      restart()
    }

    func restart() { unsafe state.update(from: keyed, count: 1) }

    @unsafe func update(_ bytes: UnsafePointer<UInt8>, _ count: Int) {
      _ = unsafe crypto_auth_hmacsha256_update(state, bytes, UInt64(count))
    }

    @unsafe func finish(into code: UnsafeMutablePointer<UInt8>) {
      _ = unsafe crypto_auth_hmacsha256_final(state, code)
    }
  }

  /// HMAC with SHA-256 from OpenSSL.
  ///
  /// The last context that is no longer used serves the next code, because making one takes many allocations.
  @safe
  final class OpenSSLHMAC: HMACState {
    private let context: OpaquePointer
    private var hasKey = false

    private static let spare = OpenSSLSpare()

    /// Returns `nil` if OpenSSL does not provide the algorithm, or if memory runs out.
    init?() {
      guard let template = unsafe Self.template,
        let context = unsafe Self.spare.take() ?? EVP_MAC_CTX_dup(template)
      else { return nil }
      unsafe self.context = unsafe context
    }

    deinit {
      // Zeros take the place of the key, which OpenSSL clears together with the state.
      let isCleared = unsafe Self.setZeroKey(context)
      let surplus = unsafe isCleared ? Self.spare.put(context) : context
      unsafe EVP_MAC_CTX_free(surplus)  // clears the state
    }

    func start(key: Span<UInt8>) {
      // RFC 2104, 2: a key is padded with zeros. A strict configuration of OpenSSL refuses an empty key.
      guard !key.isEmpty else { return hasKey ? start(key: Self.zeros.span) : restart() }
      hasKey = true
      let code = unsafe key.withPointer { key, count in unsafe EVP_MAC_init(context, key, count, nil) }
      precondition(code == 1, "HMAC takes any key")
    }

    func restart() {
      precondition(unsafe EVP_MAC_init(context, nil, 0, nil) == 1, "a code restarts under its key")
    }

    @unsafe func update(_ bytes: UnsafePointer<UInt8>, _ count: Int) {
      precondition(
        unsafe EVP_MAC_update(context, bytes, count) == 1, "a code that was started takes any bytes")
    }

    @unsafe func finish(into code: UnsafeMutablePointer<UInt8>) {
      var written = 0
      let size = HMACSHA256.codeSize
      precondition(unsafe EVP_MAC_final(context, code, &written, size) == 1, "a code that was started ends")
    }

    private static let zeros = [UInt8](repeating: 0, count: HMACSHA256.codeSize)

    @unsafe private static func setZeroKey(_ context: OpaquePointer) -> Bool {
      unsafe EVP_MAC_init(context, zeros, zeros.count, nil) == 1
    }

    /// A context with a key of zeros, which is only copied; `nil` if HMAC does not work in this configuration.
    nonisolated(unsafe) private static let template: OpaquePointer? = {
      guard OpenSSL.start(), let algorithm = unsafe EVP_MAC_fetch(nil, "HMAC", nil) else { return nil }
      defer { unsafe EVP_MAC_free(algorithm) }
      guard let template = unsafe EVP_MAC_CTX_new(algorithm) else { return nil }
      guard unsafe setDigest(template), unsafe setZeroKey(template), unsafe isUsable(template) else {
        unsafe EVP_MAC_CTX_free(template)
        return nil
      }
      return unsafe template
    }()

    @unsafe private static func setDigest(_ context: OpaquePointer) -> Bool {
      var name = Array("SHA256".utf8CString)
      return unsafe name.withUnsafeMutableBufferPointer { name in
        let parameters = unsafe [
          OSSL_PARAM_construct_utf8_string(OpenSSLParameter.name("digest"), name.baseAddress, 0),
          OSSL_PARAM_construct_end(),
        ]
        return unsafe EVP_MAC_CTX_set_params(context, parameters) == 1
      }
    }

    @unsafe private static func isUsable(_ template: OpaquePointer) -> Bool {
      guard let context = unsafe EVP_MAC_CTX_dup(template) else { return false }
      defer { unsafe EVP_MAC_CTX_free(context) }
      func code() -> [UInt8]? {
        var code = zeros
        var written = 0
        let isComputed =
          unsafe EVP_MAC_init(context, nil, 0, nil) == 1
          && EVP_MAC_update(context, zeros, zeros.count) == 1
          && EVP_MAC_final(context, &code, &written, code.count) == 1
        return isComputed ? code : nil
      }
      // An OpenSSL that does not start anew without a key computes another code the second time.
      guard let first = code(), let second = code() else { return false }
      return first == second
    }
  }

  /// Parameters of OpenSSL's algorithms (`OSSL_PARAM`).
  private enum OpenSSLParameter {
    /// Returns the address of a name in static storage, because the parameter keeps the pointer.
    @unsafe static func name(_ name: StaticString) -> UnsafePointer<CChar> {
      unsafe UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self)
    }
  }
#endif
