/// HKDF with SHA-256 (RFC 5869).
package enum HKDFSHA256 {
  /// The longest output, in bytes.
  package static let maximumOutputSize = 255 * HMACSHA256.codeSize

  /// RFC 5869, 2.2: PRK = HMAC-Hash(salt, IKM).
  ///
  /// `feed` supplies the input keying material.
  package static func extract(
    salt: Span<UInt8>, by hmac: HMACSHA256 = HMACSHA256(), feed: (borrowing HMACSHA256) -> Void
  ) -> Secret {
    hmac.start(key: salt)
    feed(hmac)
    return hmac.finish()
  }

  /// RFC 5869, 2.2; the PRK becomes the key of `hmac`, for ``expand(count:by:feed:)``.
  static func extractKey(
    salt: Span<UInt8>, by hmac: HMACSHA256, feed: (borrowing HMACSHA256) -> Void
  ) {
    hmac.start(key: salt)
    feed(hmac)
    hmac.finishAsKey()
  }

  /// RFC 5869, 2.3: OKM = the first `count` bytes of T(1) | T(2) | …, T(i) = HMAC-Hash(PRK, T(i-1) | info | i).
  ///
  /// `feed` supplies the info, once for each block. `count` is at most ``maximumOutputSize``.
  package static func expand(
    _ key: Span<UInt8>, count: Int, by hmac: HMACSHA256 = HMACSHA256(), feed: (borrowing HMACSHA256) -> Void
  ) -> Secret {
    hmac.start(key: key)
    return expand(count: count, by: hmac, feed: feed)
  }

  /// RFC 5869, 2.3, with the key of `hmac` as PRK.
  static func expand(
    count: Int, by hmac: HMACSHA256, feed: (borrowing HMACSHA256) -> Void
  ) -> Secret {
    precondition((0...maximumOutputSize).contains(count), "HKDF gives at most 255 blocks")
    return Secret(count: count) { output in
      var written = 0
      var number: UInt8 = 0
      while written < count {
        hmac.restart()
        number += 1
        // T(number) = HMAC-Hash(PRK, T(number - 1) | info | number)
        hmac.update(output.span.extracting(max(0, written - HMACSHA256.codeSize)..<written))
        feed(hmac)
        hmac.update(number)
        hmac.finish(into: &output, at: written)
        written += HMACSHA256.codeSize
      }
    }
  }
}
