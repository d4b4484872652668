internal import PushCore
internal import PushCrypto
internal import PushNetwork

/// A user and a password as a proxy is told them (Basic; RFC 7617), in memory that is wiped.
final class BasicCredentials: TunnelCredentials {
  /// `Basic`, a space, and the user, a colon and the password in Base64.
  private let authorization: SharedSecret

  /// Reads the user and the password that are in a part of a URL.
  init(in url: Span<UInt8>, at range: Range<Int>) throws(HTTPProxyError) {
    let size = try Self.decode(url, at: range) { _, _ in }
    let plain = Secret(count: size) { plain in
      // It has no fault, or there would be no size.
      _ = try? Self.decode(url, at: range) { plain[$0] = $1 }
    }
    authorization = SharedSecret(Self.authorization(of: plain.exposedBytes))
  }

  func withAuthorization(_ use: (Span<UInt8>) -> Void) {
    let authorization = self.authorization
    use(authorization.exposedBytes)
  }

  /// Whether both have the same user and password; what they differ in shows in no time.
  func isSame(as other: BasicCredentials) -> Bool {
    let (left, right) = (authorization, other.authorization)
    return ConstantTime.equal(left.exposedBytes, right.exposedBytes)
  }

  /// Gives each byte of the user, a colon and the password, with its place, to `put`; returns how many there are.
  ///
  /// A user without a colon has an empty password.
  private static func decode(
    _ url: Span<UInt8>, at range: Range<Int>, put: (Int, UInt8) -> Void
  ) throws(HTTPProxyError) -> Int {
    var (offset, count, isPassword) = (range.lowerBound, 0, false)
    while offset < range.upperBound {
      let first = url[offset]
      let isEncoded = first == UInt8(ascii: "%")
      let byte = isEncoded ? byte(after: offset, in: url, before: range.upperBound) : first
      guard let byte else { throw HTTPProxyError(.percent, at: offset) }
      guard byte >= 0x20, byte != 0x7f else { throw HTTPProxyError(.control, at: offset) }
      if byte == UInt8(ascii: ":"), !isPassword {
        guard !isEncoded else { throw HTTPProxyError(.colon, at: offset) }
        isPassword = true
      }
      put(count, byte)
      (offset, count) = (offset + (isEncoded ? 3 : 1), count + 1)
    }
    guard !isPassword else { return count }
    put(count, UInt8(ascii: ":"))
    return count + 1
  }

  /// The byte that two hexadecimal digits after a `%` are.
  private static func byte(after offset: Int, in url: Span<UInt8>, before end: Int) -> UInt8? {
    guard offset + 2 < end, let high = HexDigit.value(of: url[offset + 1]),
      let low = HexDigit.value(of: url[offset + 2])
    else { return nil }
    return high << 4 | low
  }

  private static func authorization(of plain: Span<UInt8>) -> Secret {
    let scheme = Array("Basic ".utf8)
    return Secret(count: scheme.count + (plain.count + 2) / 3 * 4) { text in
      for (place, byte) in scheme.enumerated() { text[place] = byte }
      var place = scheme.count
      for group in stride(from: 0, to: plain.count, by: 3) {
        let count = min(3, plain.count - group)
        let bits = (0..<3).reduce(UInt32(0)) { $0 << 8 | ($1 < count ? UInt32(plain[group + $1]) : 0) }
        for digit in 0..<4 {
          text[place] = digit <= count ? character(of: UInt8(bits >> (18 - 6 * UInt32(digit)) & 63)) : 0x3d
          place += 1
        }
      }
    }
  }

  /// A character of Base64; it is computed, because the place in a table would show the secret to a cache.
  private static func character(of value: UInt8) -> UInt8 {
    // How far the values of each range are from their characters, beginning with A, a, 0, + and /.
    let steps: [(start: UInt8, distance: UInt8)] = [(26, 6), (52, 181), (62, 241), (63, 3)]
    return steps.reduce(value &+ 65) { character, step in
      // 255 if the value is in this range or a later one, else 0.
      let isPast = 0 &- (((step.start &- 1) &- value) >> 7)
      return character &+ (step.distance & isPast)
    }
  }
}
