internal import COpenSSL
internal import CSodium

/// The library OpenSSL.
enum OpenSSL {
  private static let started = OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_ATEXIT), nil) == 1

  /// Prepares the library once in a process, from whichever thread comes first; false if it cannot be used.
  ///
  /// If nobody used it before, it does not clean up when the process exits: that frees what it keeps for threads while
  /// those that end free it too, and a process that exits beside them may crash.
  static func start() -> Bool { started }
}

/// The memory that OpenSSL takes, some of which it frees with secrets in it.
package enum OpenSSLMemory {
  /// Makes OpenSSL wipe all that it frees in this process; false if it has taken memory already.
  ///
  /// It is for a program of which OpenSSL is nobody else's.
  package static func wipeWhenFreed() -> Bool {
    unsafe CRYPTO_set_mem_functions(
      { size, _, _ in unsafe malloc(size) },
      { old, size, _, _ in
        let new = unsafe malloc(size)
        guard let old = unsafe old, let new = unsafe new else { return unsafe new }
        unsafe new.copyMemory(from: old, byteCount: min(size, malloc_usable_size(old)))
        unsafe OpenSSLMemory.wipeAndFree(old)
        return unsafe new
      },
      { memory, _, _ in unsafe OpenSSLMemory.wipeAndFree(memory) }) == 1
  }

  private static func wipeAndFree(_ memory: UnsafeMutableRawPointer?) {
    guard let memory = unsafe memory else { return }
    unsafe sodium_memzero(memory, malloc_usable_size(memory))
    unsafe free(memory)
  }
}
