internal import COpenSSL
internal import CSodium

/// HMAC with SHA-256 from libsodium.
@safe
final class SodiumHMAC: HMACState {
  private let state: UnsafeMutablePointer<crypto_auth_hmacsha256_state>

  init() {
    unsafe state = .allocate(capacity: 1)
    unsafe state.initialize(to: crypto_auth_hmacsha256_state())
  }

  deinit {
    unsafe sodium_memzero(state, MemoryLayout<crypto_auth_hmacsha256_state>.size)
    unsafe state.deallocate()
  }

  func start(key: Span<UInt8>) {
    unsafe key.withPointer { key, count in _ = unsafe crypto_auth_hmacsha256_init(state, key, count) }
  }

  @unsafe func update(_ bytes: UnsafePointer<UInt8>, _ count: Int) {
    _ = unsafe crypto_auth_hmacsha256_update(state, bytes, UInt64(count))
  }

  @unsafe func finish(into code: UnsafeMutablePointer<UInt8>) {
    _ = unsafe crypto_auth_hmacsha256_final(state, code)
  }
}

/// HMAC with SHA-256 from OpenSSL.
@safe
final class OpenSSLHMAC: HMACState {
  private let context: OpaquePointer

  /// Returns `nil` if OpenSSL does not provide the algorithm, or if memory runs out.
  init?() {
    guard let template = unsafe Self.template, let context = unsafe EVP_MAC_CTX_dup(template) else {
      return nil
    }
    unsafe self.context = unsafe context
  }

  deinit { unsafe EVP_MAC_CTX_free(context) }  // clears the state

  func start(key: Span<UInt8>) {
    // RFC 2104, 2: a key is padded with zeros. A strict configuration of OpenSSL refuses an empty key.
    guard !key.isEmpty else { return start(key: Self.zeros.span) }
    let code = unsafe key.withPointer { key, count in unsafe EVP_MAC_init(context, key, count, nil) }
    precondition(code == 1, "HMAC takes any key")
  }

  @unsafe func update(_ bytes: UnsafePointer<UInt8>, _ count: Int) {
    precondition(unsafe EVP_MAC_update(context, bytes, count) == 1, "a code that was started takes any bytes")
  }

  @unsafe func finish(into code: UnsafeMutablePointer<UInt8>) {
    var written = 0
    let size = HMACSHA256.codeSize
    precondition(unsafe EVP_MAC_final(context, code, &written, size) == 1, "a code that was started ends")
  }

  private static let zeros = [UInt8](repeating: 0, count: HMACSHA256.codeSize)

  /// A context without a key, which is only copied; `nil` if HMAC does not work in this configuration.
  nonisolated(unsafe) private static let template: OpaquePointer? = {
    guard OpenSSL.start(), let algorithm = unsafe EVP_MAC_fetch(nil, "HMAC", nil) else { return nil }
    defer { unsafe EVP_MAC_free(algorithm) }
    guard let template = unsafe EVP_MAC_CTX_new(algorithm) else { return nil }
    guard unsafe setDigest(template), unsafe isUsable(template) else {
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
    var code = zeros
    var written = 0
    return unsafe EVP_MAC_init(context, zeros, zeros.count, nil) == 1
      && EVP_MAC_update(context, zeros, zeros.count) == 1
      && EVP_MAC_final(context, &code, &written, code.count) == 1
  }
}

/// Parameters of OpenSSL's algorithms (`OSSL_PARAM`).
private enum OpenSSLParameter {
  /// Returns the address of a name in static storage, because the parameter keeps the pointer.
  @unsafe static func name(_ name: StaticString) -> UnsafePointer<CChar> {
    unsafe UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self)
  }
}
