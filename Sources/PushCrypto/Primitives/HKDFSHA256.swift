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

  /// RFC 5869, 2.3: OKM = the first `count` bytes of T(1) | T(2) | …, T(i) = HMAC-Hash(PRK, T(i-1) | info | i).
  ///
  /// `feed` supplies the info, once for each block. `count` is at most ``maximumOutputSize``.
  package static func expand(
    _ key: Span<UInt8>, count: Int, by hmac: HMACSHA256 = HMACSHA256(), feed: (borrowing HMACSHA256) -> Void
  ) -> Secret {
    precondition((0...maximumOutputSize).contains(count), "HKDF gives at most 255 blocks")
    guard count != HMACSHA256.codeSize else { return block(1, after: Span(), key, hmac, feed) }
    return Secret(count: count) { output in
      var written = 0
      var number: UInt8 = 0
      while written < count {
        number += 1
        let previous = max(0, written - HMACSHA256.codeSize)..<written
        let block = block(number, after: output.span.extracting(previous), key, hmac, feed)
        let bytes = block.exposedBytes
        for index in 0..<min(bytes.count, count - written) { output[written + index] = bytes[index] }
        written += bytes.count
      }
    }
  }

  /// T(number).
  private static func block(
    _ number: UInt8, after previous: Span<UInt8>, _ key: Span<UInt8>, _ hmac: HMACSHA256,
    _ feed: (borrowing HMACSHA256) -> Void
  ) -> Secret {
    hmac.start(key: key)
    hmac.update(previous)
    feed(hmac)
    hmac.update(number)
    return hmac.finish()
  }
}
