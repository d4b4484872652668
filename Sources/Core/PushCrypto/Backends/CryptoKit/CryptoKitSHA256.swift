#if canImport(CryptoKit)
  internal import CryptoKit

  /// SHA-256 (FIPS 180-4).
  package enum SHA256 {
    /// The length of a digest, in bytes.
    package static let digestSize = 32

    /// The digest of `bytes`.
    package static func digest(_ bytes: Span<UInt8>) -> [UInt8] {
      unsafe bytes.withUnsafeBytes { unsafe [UInt8](CryptoKit.SHA256.hash(data: $0)) }
    }
  }

  /// Incremental SHA-256 from CryptoKit.
  ///
  /// For public data only: the state is not wiped.
  package struct IncrementalSHA256: ~Copyable {
    /// Holds the state, so that adding bytes does not mutate the struct.
    private final class State {
      var function = CryptoKit.SHA256()
    }

    private let state = State()

    /// Starts a digest.
    ///
    /// - Throws: ``CryptoError/unavailable`` on other platforms; never with CryptoKit.
    package init() throws(CryptoError) {}

    /// Adds `bytes` to the digest's input.
    package func update(_ bytes: Span<UInt8>) {
      unsafe bytes.withUnsafeBytes { unsafe state.function.update(bufferPointer: $0) }
    }

    /// The digest, 32 bytes.
    package consuming func finish() -> [UInt8] { [UInt8](state.function.finalize()) }
  }
#endif
