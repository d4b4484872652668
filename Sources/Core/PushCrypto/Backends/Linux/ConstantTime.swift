#if !canImport(CryptoKit)
  internal import CSodium

  /// Constant-time comparisons: their duration does not depend on the contents.
  package enum ConstantTime {
    /// Whether two byte strings are equal.
    ///
    /// Lengths are public.
    package static func equal(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Bool {
      guard left.count == right.count else { return false }
      return unsafe left.withPointer { left, count in
        unsafe right.withPointer { right, _ in unsafe sodium_memcmp(left, right, count) }
      } == 0
    }

    /// Whether all bytes are zero.
    package static func isZero(_ bytes: Span<UInt8>) -> Bool {
      unsafe bytes.withPointer { bytes, count in unsafe sodium_is_zero(bytes, count) } == 1
    }
  }
#endif
