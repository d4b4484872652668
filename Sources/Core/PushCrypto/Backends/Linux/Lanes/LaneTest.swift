#if !canImport(CryptoKit)
  /// What a function of the library must compute right before it is used.
  enum LaneTest {
    /// All lanes of a call.
    static let allLanes = 0..<Lanes.width

    /// Whether `round` succeeds with each eight of concatenated items of `size` bytes.
    static func isPassed(items: [UInt8], size: Int, round: (Span<UInt8>) -> Bool) -> Bool {
      stride(from: 0, to: items.count, by: Lanes.width * size).allSatisfy { start in
        round(items.span.extracting(start..<min(start + Lanes.width * size, items.count)))
      }
    }

    /// Whether `round` succeeds with each eight items.
    static func isPassed(items: [[UInt8]], round: (ArraySlice<[UInt8]>) -> Bool) -> Bool {
      stride(from: 0, to: items.count, by: Lanes.width).allSatisfy { start in
        round(items[start..<min(start + Lanes.width, items.count)])
      }
    }

    /// Points for X25519 (RFC 7748): of small order, of the largest numbers, not canonical, and random ones.
    static var points: [UInt8] {
      let edges = [0, 1, 2, 9, 0xec, 0xed, 0xee, 0xff].flatMap { (low: UInt8) -> [[UInt8]] in
        [
          [low] + [UInt8](repeating: 0, count: 31), [low] + [UInt8](repeating: 0xff, count: 30) + [0x7f],
          [low] + [UInt8](repeating: 0xff, count: 31),
        ]
      }
      return edges.flatMap(\.self) + X25519.smallOrderPoints.flatMap(\.self) + random(count: 32 * 9)
    }

    /// Private keys for X25519: the smallest and the largest numbers, and random ones.
    static var scalars: [UInt8] {
      [UInt8](repeating: 0, count: 32) + [UInt8](repeating: 0xff, count: 32) + random(count: 32 * 14)
    }

    /// Private keys for P-256: the smallest and the largest numbers, and random ones.
    static var numbers: [UInt8] {
      let zeros = [UInt8](repeating: 0, count: 31)
      return zeros + [1] + zeros + [2] + P256.largestPrivateKey
        + (0..<13).flatMap { _ in
          // Below the order, whatever is drawn.
          [0x7f] + random(count: 31)
        }
    }

    /// The public keys of private keys for P-256.
    static func points(of privateKeys: [UInt8]) -> [[UInt8]] {
      (0..<privateKeys.count / P256.privateKeySize).compactMap { position in
        OpenSSLP256.publicKey(of: privateKeys.span.item(position, size: P256.privateKeySize))
      }
    }

    /// Texts whose lengths surround the blocks of SHA-512, which begin after 32 or 64 bytes of a key.
    static var messages: [[UInt8]] {
      [
        0, 1, 31, 32, 47, 48, 63, 64, 65, 79, 80, 95, 96, 111, 112, 127, 128, 129, 175, 176, 255, 300, 1024,
        3000,
      ]
      .map(random)
    }

    private static func random(count: Int) -> [UInt8] {
      [UInt8](copying: SystemRandom().secret(count: count).exposedBytes)
    }
  }
#endif
