internal import CSodium

/// The library libsodium.
enum Sodium {
  private static let started: Bool = sodium_init() >= 0

  /// Prepares the library once in a process, from whichever thread comes first.
  static func start() {
    precondition(started, "libsodium does not start")
  }
}
