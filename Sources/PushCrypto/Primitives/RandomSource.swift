internal import CSodium

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

/// The operating system's generator, asked anew each time, so that a forked process shares nothing.
package struct SystemRandom: RandomSource {
  /// Makes the source.
  package init() {}

  package func fill(_ bytes: inout MutableSpan<UInt8>) {
    Sodium.start()
    unsafe bytes.withPointer { bytes, count in unsafe randombytes_buf(bytes, count) }
  }
}
