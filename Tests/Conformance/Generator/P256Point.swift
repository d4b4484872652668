import PushCore
import PushCrypto
import Testing

/// A point of P-256 that is refused, and what a device makes of it that does not refuse it.
struct P256Point {
  let name: String
  let comment: String
  /// HPKE's form of it.
  let bytes: [UInt8]
  /// The x coordinate of the device's private key times the point.
  let secret: [UInt8]

  static func refused() throws -> [P256Point] {
    [
      P256Point(
        name: "x-is-p", comment: "x = p for x = 0: not below p, and all else is right",
        bytes: [4] + prime + root, secret: try secret([4] + number(0) + root)),
      P256Point(
        name: "y-is-p-plus-5", comment: "y = p + 5 for y = 5: not below p, and all else is right",
        bytes: [4] + xOf5 + primePlus5, secret: try secret([4] + xOf5 + number(5))),
      P256Point(
        name: "order-3",
        comment: "anyone can make this: a point of order 3 on another curve, whose multiples have one x",
        bytes: [4] + number(3) + number(4), secret: number(3)),
    ]
  }

  private static func number(_ value: UInt8) -> [UInt8] { [UInt8](repeating: 0, count: 31) + [value] }

  private static let prime: [UInt8] = [
    0xff, 0xff, 0xff, 0xff, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
  ]
  private static let primePlus5: [UInt8] = [
    0xff, 0xff, 0xff, 0xff, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4,
  ]
  /// The square root of the curve's b: (0, root) is on the curve.
  private static let root: [UInt8] = [
    0x66, 0x48, 0x5c, 0x78, 0x0e, 0x2f, 0x83, 0xd7, 0x24, 0x33, 0xbd, 0x5d, 0x84, 0xa0, 0x6b, 0xb6,
    0x54, 0x1c, 0x2a, 0xf3, 0x1d, 0xae, 0x87, 0x17, 0x28, 0xbf, 0x85, 0x6a, 0x17, 0x4f, 0x93, 0xf4,
  ]
  /// (this, 5) is on the curve.
  private static let xOf5: [UInt8] = [
    0xd7, 0x32, 0x5d, 0x76, 0x46, 0xcd, 0x60, 0xd8, 0x0a, 0x92, 0x73, 0x8c, 0xeb, 0x34, 0x5f, 0x84,
    0x4c, 0xff, 0xaf, 0x35, 0x84, 0x10, 0x22, 0xca, 0xb1, 0x76, 0xf6, 0x92, 0xde, 0x8d, 0xe1, 0xd7,
  ]

  private static func secret(_ point: [UInt8]) throws -> [UInt8] {
    let keys = try VectorKeys().deviceFile["keys"]?.array?.compactMap(\.object) ?? []
    let key = try #require(keys.first { $0["crv"]?.string == "P-256" }?["d"]?.string)
    let scalar = try Base64URL.decode(key)
    let secret = try P256.sharedSecret(privateKey: scalar.span, publicKey: point.span)
    return [UInt8](copying: secret.exposedBytes)
  }
}
