/// What can be said of an Ed25519 point or scalar from its 32 bytes alone.
///
/// All of it is public.
enum Ed25519Encoding {
  /// Whether a point's y coordinate is below p = 2^255 - 19 (RFC 8032, 5.1.3, step 1).
  static func isCanonical(_ point: Span<UInt8>) -> Bool {
    LittleEndian.isBelow(withoutSign(point), LittleEndian.fieldPrime)
  }

  /// Whether a scalar is below L, the order of the base point (RFC 8032, 5.1.7, step 1).
  static func isReduced(_ scalar: Span<UInt8>) -> Bool {
    LittleEndian.isBelow([UInt8](copying: scalar), groupOrder)
  }

  /// Whether a point has order 1, 2, 4 or 8, in any encoding.
  ///
  /// The sign of x makes no difference.
  static func hasSmallOrder(_ point: Span<UInt8>) -> Bool {
    smallOrderY.contains(withoutSign(point))
  }

  private static func withoutSign(_ point: Span<UInt8>) -> [UInt8] {
    var y = [UInt8](copying: point)
    y[31] &= 0x7f
    return y
  }

  /// L = 2^252 + 27742317777372353535851937790883648493.
  private static let groupOrder: [UInt8] =
    [
      0xed, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58, 0xd6, 0x9c, 0xf7, 0xa2, 0xde, 0xf9, 0xde, 0x14,
    ] + [UInt8](repeating: 0, count: 15) + [0x10]

  /// The y coordinates, little endian, of the eight points of small order: 1, -1, 0, the two of order 8, and 0
  /// and 1 again as p and p + 1.
  private static let smallOrderY: [[UInt8]] = [
    [1] + [UInt8](repeating: 0, count: 31),
    [0xec] + [UInt8](repeating: 0xff, count: 30) + [0x7f],
    [UInt8](repeating: 0, count: 32),
    [
      0x26, 0xe8, 0x95, 0x8f, 0xc2, 0xb2, 0x27, 0xb0, 0x45, 0xc3, 0xf4, 0x89, 0xf2, 0xef, 0x98, 0xf0,
      0xd5, 0xdf, 0xac, 0x05, 0xd3, 0xc6, 0x33, 0x39, 0xb1, 0x38, 0x02, 0x88, 0x6d, 0x53, 0xfc, 0x05,
    ],
    [
      0xc7, 0x17, 0x6a, 0x70, 0x3d, 0x4d, 0xd8, 0x4f, 0xba, 0x3c, 0x0b, 0x76, 0x0d, 0x10, 0x67, 0x0f,
      0x2a, 0x20, 0x53, 0xfa, 0x2c, 0x39, 0xcc, 0xc6, 0x4e, 0xc7, 0xfd, 0x77, 0x92, 0xac, 0x03, 0x7a,
    ],
    [0xed] + [UInt8](repeating: 0xff, count: 30) + [0x7f],
    [0xee] + [UInt8](repeating: 0xff, count: 30) + [0x7f],
  ]
}
