#if canImport(CryptoKit)
  internal import CryptoKit

  /// Constant-time comparisons: their duration does not depend on the contents.
  package enum ConstantTime {
    /// Whether two byte strings are equal.
    ///
    /// Lengths are public. CryptoKit compares symmetric keys in constant time.
    package static func equal(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Bool {
      guard left.count == right.count else { return false }
      guard !left.isEmpty else { return true }
      return SymmetricKey(copying: left) == SymmetricKey(copying: right)
    }

    /// Whether all bytes are zero.
    package static func isZero(_ bytes: Span<UInt8>) -> Bool {
      let zeros = [UInt8](repeating: 0, count: bytes.count)
      return equal(bytes, zeros.span)
    }
  }
#endif
