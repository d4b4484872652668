/// Little-endian numbers, the encoding of RFC 7748 and RFC 8032.
///
/// For public values only: comparisons are not constant-time.
enum LittleEndian {
  /// The prime of Curve25519's field, p = 2^255 - 19.
  static let fieldPrime: [UInt8] = [0xed] + [UInt8](repeating: 0xff, count: 30) + [0x7f]

  /// Whether one number is below another of the same length.
  static func isBelow(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    left.reversed().lexicographicallyPrecedes(right.reversed())
  }
}
