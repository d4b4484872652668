/// HKDF with SHA-256 (RFC 5869).
package enum HKDFSHA256 {
  /// The longest output, in bytes.
  package static let maximumOutputSize = 255 * HMACSHA256.codeSize

  /// RFC 5869, 2.2: PRK = HMAC-Hash(salt, IKM).
  ///
  /// `feed` hands over the input keying material.
  package static func extract(salt: Span<UInt8>, feed: (borrowing HMACSHA256) -> Void) -> Secret {
    let hmac = HMACSHA256(key: salt)
    feed(hmac)
    return hmac.finish()
  }

  /// RFC 5869, 2.3: OKM = the first `count` bytes of T(1) | T(2) | …, T(i) = HMAC-Hash(PRK, T(i-1) | info | i).
  ///
  /// `feed` hands over the info, once for each block. `count` is at most ``maximumOutputSize``.
  package static func expand(
    _ key: Span<UInt8>, count: Int, feed: (borrowing HMACSHA256) -> Void
  ) -> Secret {
    precondition((0...maximumOutputSize).contains(count), "HKDF gives at most 255 blocks")
    return Secret(count: count) { output in
      var previous = Secret(count: 0) { _ in }
      var written = 0
      var block: UInt8 = 0
      while written < count {
        block += 1
        let hmac = HMACSHA256(key: key)
        hmac.update(previous.exposedBytes)
        feed(hmac)
        hmac.update(block)
        previous = hmac.finish()
        let bytes = previous.exposedBytes
        for index in 0..<min(bytes.count, count - written) { output[written + index] = bytes[index] }
        written += bytes.count
      }
    }
  }
}
