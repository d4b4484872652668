/// A source of random bytes.
///
/// Only this package can replace the system's source, so that test vectors can fix every byte.
package protocol RandomSource: Sendable {
  /// Overwrites `bytes` with random ones.
  func fill(_ bytes: inout MutableSpan<UInt8>)
}

extension RandomSource {
  /// Returns a secret of `count` random bytes.
  package func secret(_ count: Int, in kind: SecretMemory = .heap) -> Secret {
    Secret(count: count, in: kind) { fill(&$0) }
  }
}
