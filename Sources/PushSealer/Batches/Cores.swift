#if canImport(Glibc)
  private import Glibc
#elseif canImport(Darwin)
  private import Darwin
#endif

/// The machine's processor cores, whatever share of them this process may use.
package enum Cores {
  /// How many there are, at least 1.
  package static let count = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
}
