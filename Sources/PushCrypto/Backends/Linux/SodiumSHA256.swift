internal import CSodium

/// SHA-256 (FIPS 180-4).
package enum SHA256 {
  /// The length of a digest, in bytes.
  package static let digestSize = 32

  /// The digest of `bytes`.
  package static func digest(_ bytes: Span<UInt8>) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: digestSize)
    var span = digest.mutableSpan
    unsafe span.withPointer { digest, _ in
      unsafe bytes.withPointer { bytes, count in _ = unsafe crypto_hash_sha256(digest, bytes, UInt64(count)) }
    }
    return digest
  }
}
