#if canImport(CSodium)
  internal import CSodium

  /// Initialization of libsodium.
  enum Sodium {
    /// The running version, such as `1.0.18`.
    static var version: String { unsafe String(cString: sodium_version_string()) }

    private static let started: Bool = sodium_init() >= 0

    /// Initializes the library once per process; safe from any thread.
    static func start() {
      precondition(started, "libsodium does not start")
    }
  }
#endif
