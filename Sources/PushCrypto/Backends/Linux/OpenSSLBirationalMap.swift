internal import COpenSSL

/// The map from the points of Ed25519 to those of X25519 (RFC 7748, 4.1).
///
/// For public points alone: its time depends on them.
enum OpenSSLBirationalMap {
  /// The u coordinates of points whose encodings stand one behind the other, 32 bytes each; 0 for y = 1.
  ///
  /// The points share one inversion, which costs more than all else here. Null without memory.
  static func u(ofPoints points: Span<UInt8>) -> [UInt8]? {
    guard let arithmetic = OpenSSLFieldArithmetic() else { return nil }
    var fractions: [OpenSSLFieldArithmetic.Fraction] = []
    fractions.reserveCapacity(points.count / X25519.keySize)
    for start in stride(from: 0, to: points.count, by: X25519.keySize) {
      // u = (1 + y) / (1 - y)
      let point = points.extracting(start..<start + X25519.keySize)
      guard let fraction = arithmetic.fraction(withY: point) else { return nil }
      fractions.append(fraction)
    }
    return arithmetic.quotients(of: fractions)
  }
}
