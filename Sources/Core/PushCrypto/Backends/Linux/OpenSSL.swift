#if !canImport(CryptoKit)
  internal import COpenSSL
  internal import CSodium

  /// OpenSSL in a process whose other code may use it too.
  enum OpenSSL {
    /// The version that runs, such as `3.0.17`.
    static var version: String { unsafe String(cString: OpenSSL_version(OPENSSL_VERSION_STRING)) }

    private static let started = OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_ATEXIT), nil) == 1

    /// Initializes the library once per process; safe from any thread.
    ///
    /// Returns `false` if it cannot be used.
    ///
    /// If this is the library's first use, its cleanup at process exit is turned off. That cleanup frees per-thread data
    /// that exiting threads free too, so a process that exits at the same time may crash.
    static func start() -> Bool { started }

    /// Calls functions that may fail, and leaves the thread's queue of errors as it was before.
    ///
    /// Other code in the process reads that queue to learn why its own calls failed. The queue holds 15 errors: if it
    /// was full, an error of these calls may have displaced the oldest one.
    static func keepingErrors<Result: ~Copyable>(_ calls: () -> Result) -> Result {
      // Start first: using the queue would start the library with its cleanup turned on.
      _ = start()
      // In an empty queue there is nothing to mark; popping then removes every error, as it should.
      ERR_set_mark()
      defer { ERR_pop_to_mark() }
      return calls()
    }
  }

  /// OpenSSL's heap memory, some of which it frees without wiping secrets in it.
  package enum OpenSSLMemory {
    /// Makes OpenSSL wipe all memory that it frees in this process.
    ///
    /// Returns `false` if it has already allocated some.
    ///
    /// Use it only in a program where no other code uses OpenSSL.
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
#endif
