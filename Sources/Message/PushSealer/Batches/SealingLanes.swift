internal import PushCrypto

/// The lanes of the processor's vector registers, in which batches are sealed eight messages at a time.
///
/// They are used on x86-64 Linux where libcrypto_mb is installed and the processor has AVX-512 IFMA, for the algorithms that
/// the library computes right. A message has the same bytes without them.
public enum SealingLanes {
  /// Whether batches may use lanes; true unless the environment variable `SEALEDPUSH_LANES` is `off` at the start.
  ///
  /// It can be changed at any time, from any thread. On Apple's systems it is always false.
  public static var areOn: Bool {
    get { Lanes.areOn }
    set { Lanes.areOn = newValue }
  }

  /// Each algorithm, and the library that computes it in lanes or, after `nothing:`, why none does.
  ///
  /// The first call loads the library, and compares its answers with those of libsodium and OpenSSL.
  public static var report: [(algorithm: String, state: String)] {
    SystemLibraries.lanes.map { ($0.algorithm, $0.state.description) }
  }
}
