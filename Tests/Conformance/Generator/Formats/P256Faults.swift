import PushCrypto
import PushCore
import PushTesting
import TestSupport

/// Keys of P-256 that are none.
enum P256Faults {
  private static let prime: [UInt8] =
    [UInt8](repeating: 0xff, count: 4) + [0, 0, 0, 1] + [UInt8](repeating: 0, count: 12)
    + [UInt8](repeating: 0xff, count: 12)

  private static let order =
    "_____wAAAAD__________7zm-q2nF56E87nKwvxjJVE"

  /// Encodings of 65 bytes that are no points.
  static let points: [(name: String, comment: String, bytes: [UInt8])] = [
    (
      "point-off-curve", "the public key is no point of the curve",
      otherPoint.dropLast() + [otherPoint[64] ^ 1]
    ),
    ("point-zeros", "the coordinates are zero", [4] + [UInt8](repeating: 0, count: 64)),
    ("point-too-great", "a coordinate is the field's prime", [4] + prime + [UInt8](repeating: 1, count: 32)),
  ]

  /// A point that nobody uses.
  static let otherPoint: [UInt8] = {
    let key = FixedRandomness.bytes(of: "another point")
    guard let point = try? P256.publicKey(of: key.span) else { preconditionFailure("no private key") }
    return point
  }()

  /// Private keys that are refused, in base64url.
  static let privateKeys: [(name: String, comment: String, text: String)] = [
    ("private-key-31", "a private key that is too short", String(repeating: "A", count: 41) + "Q"),
    ("private-key-33", "a private key that is too long", String(repeating: "A", count: 43) + "E"),
    ("private-key-0", "a private key of zeros", String(repeating: "A", count: 43)),
    ("private-key-order", "a private key that is the order", order),
  ]
}
