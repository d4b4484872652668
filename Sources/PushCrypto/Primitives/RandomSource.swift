/// Where random bytes come from.
///
/// Only the sealer's own package can put another source in the system's place, so that vectors can pin every
/// byte.
package protocol RandomSource: Sendable {
  /// Overwrites `bytes` with random ones.
  func fill(_ bytes: inout MutableSpan<UInt8>)
}

extension RandomSource {
  /// A secret of `count` random bytes.
  package func secret(_ count: Int, in kind: SecretMemory = .heap) -> Secret {
    Secret(count: count, in: kind) { fill(&$0) }
  }
}
