internal import COpenSSL
private import Glibc

/// HMAC with SHA-256 from OpenSSL, which knows the processor's instructions for it.
///
/// A context is dear to make, so a thread keeps one between codes: under the empty key, which leaves nothing of the
/// last one in it. A child process gets a copy of its thread's own, and no lock that somebody else held.
enum OpenSSLHMAC {
  /// A context under a key, or null if OpenSSL has no HMAC or no memory.
  static func start(_ key: Span<UInt8>) -> OpaquePointer? {
    guard let context = unsafe takeContext() else { return nil }
    guard unsafe key.isEmpty || setKey(key, context) else {
      unsafe EVP_MAC_CTX_free(context)
      return nil
    }
    return unsafe context
  }

  @unsafe static func update(_ context: OpaquePointer, _ bytes: UnsafePointer<UInt8>, _ count: Int) {
    precondition(unsafe EVP_MAC_update(context, bytes, count) == 1, "a code that was started takes any bytes")
  }

  @unsafe static func finish(_ context: OpaquePointer, _ code: UnsafeMutablePointer<UInt8>, _ count: Int) {
    var written = 0
    let isFinished = unsafe EVP_MAC_final(context, code, &written, count) == 1
    precondition(isFinished && written == count, "a code that was started ends")
  }

  /// Wipes a context, and leaves it to the thread's next code.
  @unsafe static func end(_ context: OpaquePointer) {
    guard let slot, unsafe pthread_getspecific(slot) == nil, unsafe setKey(Span(), context),
      unsafe pthread_setspecific(slot, UnsafeRawPointer(context)) == 0
    else {
      unsafe EVP_MAC_CTX_free(context)  // wipes too
      return
    }
  }

  /// The context that this thread has kept, or a new one; under the empty key.
  private static func takeContext() -> OpaquePointer? {
    guard let slot, let kept = unsafe pthread_getspecific(slot) else { return unsafe makeContext() }
    guard pthread_setspecific(slot, nil) == 0 else { return unsafe makeContext() }
    return OpaquePointer(kept)
  }

  private static func makeContext() -> OpaquePointer? {
    guard let algorithm = unsafe algorithm, let context = unsafe EVP_MAC_CTX_new(algorithm) else {
      return nil
    }
    var digest = Array("SHA256".utf8CString)
    let isReady = unsafe digest.withUnsafeMutableBufferPointer { digest in
      var parameters = unsafe [
        OSSL_PARAM_construct_utf8_string("digest", digest.baseAddress, 0), OSSL_PARAM_construct_end(),
      ]
      return unsafe EVP_MAC_CTX_set_params(context, &parameters) == 1 && setKey(Span(), context)
    }
    guard isReady else {
      unsafe EVP_MAC_CTX_free(context)
      return nil
    }
    return unsafe context
  }

  /// Starts a code under a key, which may be empty, in place of whatever the context held.
  @unsafe private static func setKey(_ key: Span<UInt8>, _ context: OpaquePointer) -> Bool {
    unsafe key.withPointer { key, count in unsafe EVP_MAC_init(context, key, count, nil) } == 1
  }

  /// The algorithm, which is only read.
  nonisolated(unsafe) private static let algorithm = unsafe EVP_MAC_fetch(nil, "HMAC", nil)

  /// Where a thread keeps its context, freed when the thread ends; null if the process has no such place left.
  private static let slot: pthread_key_t? = {
    var slot = pthread_key_t()
    let code = unsafe pthread_key_create(&slot) { unsafe EVP_MAC_CTX_free(OpaquePointer($0)) }
    return code == 0 ? slot : nil
  }()
}
