private import CProcess
private import Glibc
import PushCrypto

/// Hardens the process before it touches a key.
enum Hardening {
  /// Turns off core dumps, tracing by other processes, and the Swift runtime's crash reports, which print the
  /// memory that registers point to.
  ///
  /// What OpenSSL frees is wiped. A broken pipe, and a file that grows past its limit, become errors of the write.
  static func apply() {
    var none = rlimit(rlim_cur: 0, rlim_max: 0)
    unsafe setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
    _ = process_forbid_dumps()
    _ = OpenSSLMemory.wipeWhenFreed()
    // The runtime has set its handlers before main, whatever SWIFT_BACKTRACE is now.
    for signal in [SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV] {
      _ = Glibc.signal(signal, SIG_DFL)
    }
    for signal in [SIGPIPE, SIGXFSZ] { _ = Glibc.signal(signal, SIG_IGN) }
  }
}
