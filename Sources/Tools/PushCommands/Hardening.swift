import PushCrypto

#if canImport(CLinux)
  private import CLinux
#endif

#if canImport(Glibc)
  private import Glibc
#elseif canImport(Darwin)
  private import Darwin
#endif

/// Hardens the process before it touches a key.
enum Hardening {
  /// Turns off core dumps and the Swift runtime's crash reports, which print the memory that registers point to.
  ///
  /// On Linux it turns off tracing by other processes too.
  /// OpenSSL wipes the memory that it frees. A broken pipe and a file that grows past its limit fail the write.
  static func apply() {
    var none = rlimit(rlim_cur: 0, rlim_max: 0)
    #if canImport(Darwin)
      unsafe setrlimit(RLIMIT_CORE, &none)
    #else
      unsafe setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
      _ = process_forbid_dumps()
      _ = OpenSSLMemory.wipeWhenFreed()
    #endif
    // The runtime has set its handlers before main, so setting SWIFT_BACKTRACE now would not help.
    for number in [SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV] {
      _ = signal(number, SIG_DFL)
    }
    for number in [SIGPIPE, SIGXFSZ] { _ = signal(number, SIG_IGN) }
  }
}
