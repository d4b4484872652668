/// The 14 encodings of the eight points of small order on Edwards25519.
///
/// They are little endian, and the top bit is the sign of x. A decoder that reduces y, and ignores the sign of x = 0,
/// reads all of them as points.
enum Ed25519SmallOrder {
  static let points: [[UInt8]] = coordinates.flatMap { y in [y, y.dropLast() + [y[31] | 0x80]] }

  private static let coordinates: [[UInt8]] = [
    // y = 0: x = ±sqrt(-1), order 4
    "0000000000000000000000000000000000000000000000000000000000000000",
    // y = 1: the identity
    "0100000000000000000000000000000000000000000000000000000000000000",
    // y = ±sqrt((-1 ± sqrt(1 + d)) / d): order 8
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
    // y = p - 1 = -1: order 2, p = 2^255 - 19
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    // y = p, which is 0
    "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    // y = p + 1, which is 1
    "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
  ].map { bytes($0) }
}
