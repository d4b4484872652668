internal import COpenSSL

/// The library OpenSSL.
enum OpenSSL {
  private static let started = OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_ATEXIT), nil) == 1

  /// Prepares the library once in a process, from whichever thread comes first; false if it cannot be used.
  ///
  /// If nobody used it before, it does not clean up when the process exits: that frees what it keeps for threads while
  /// those that end free it too, and a process that exits beside them may crash.
  static func start() -> Bool { started }
}
