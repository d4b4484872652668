internal import PushCrypto

/// Where the parts of an envelope are, as `openssl enc` lays them out.
enum SaltedLayout {
  static let magic = [UInt8]("Salted__".utf8)

  /// The salt, 8 bytes behind the eight of `Salted__`.
  static let salt = 8..<16

  /// Whether an envelope starts with `Salted__`, and is as long as that, a salt and whole blocks, at least one.
  static func isKept(by bytes: Span<UInt8>) -> Bool {
    bytes.count > salt.upperBound && (bytes.count - salt.upperBound).isMultiple(of: AESCBC.blockSize)
      && magic.indices.allSatisfy { bytes[$0] == magic[$0] }
  }
}
