/// A source of random bytes.
///
/// Only this package can replace the system's source, so that test vectors can fix every byte.
package protocol RandomSource: Sendable {
  /// Overwrites `bytes` with random ones.
  func fill(_ bytes: inout MutableSpan<UInt8>)

  /// Whether the bytes may be repeated, as those of test vectors are.
  ///
  /// If so, ephemeral keys are derived from the bytes (DeriveKeyPair of RFC 9180, 7.1.3), so that a test vector can
  /// state its input.
  var isRepeatable: Bool { get }
}

extension RandomSource {
  /// True; only the system's source returns false.
  package var isRepeatable: Bool { true }

  /// Returns a secret of `count` random bytes.
  package func secret(count: Int, in kind: SecretMemory = .heap) -> Secret {
    Secret(count: count, in: kind) { fill(&$0) }
  }
}
