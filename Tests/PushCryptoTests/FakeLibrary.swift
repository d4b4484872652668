#if canImport(Glibc)
  @testable import PushCrypto
  import Synchronization

  /// Libraries with the interface of crypto_mb, which compute one lane after another with libsodium and OpenSSL.
  enum FakeLibrary {
    /// All functions are right.
    static let right = unsafe library { unsafe functions[$0] }

    /// Each function of X25519 and Ed25519 alters the answer of lane 5.
    static let wrong = unsafe library { unsafe wrongFunctions[$0] }

    /// X25519 refuses the input of lane 3.
    static let refusing = unsafe library {
      $0 == "mbx_x25519_mb8" ? unsafe refusingProduct : unsafe functions[$0]
    }

    /// X25519 is wrong where the point is the largest that is canonical.
    static let wrongForLargePoints = unsafe library {
      $0 == "mbx_x25519_mb8" ? unsafe largeProduct : unsafe functions[$0]
    }

    /// X25519 is wrong for the point of 32 bytes 0x2a.
    static let wrongForAPoint = unsafe library {
      $0 == "mbx_x25519_mb8" ? unsafe pointProduct : unsafe functions[$0]
    }

    /// X25519 alters the answer of the lane ``turning``.
    static let turningWrong = unsafe library {
      $0 == "mbx_x25519_mb8" ? unsafe turningProduct : unsafe functions[$0]
    }

    /// A lane's number; -1 for none.
    static let turning = Atomic(-1)

    /// A library without a function.
    static func without(_ name: String) -> CryptoMB.Library {
      unsafe library { $0 == name ? nil : unsafe functions[$0] }
    }

    private static func library(
      _ address: @escaping (String) -> UnsafeMutableRawPointer?
    ) -> CryptoMB.Library { unsafe CryptoMB.Library(name: "fake", address: address) }

    private typealias Product = @convention(c) (LaneOutputs, LaneInputs, LaneInputs) -> UInt32
    private typealias BaseProduct = @convention(c) (LaneOutputs, LaneInputs) -> UInt32
    private typealias Sign =
      @convention(c) (
        LaneOutputs, LaneOutputs, LaneInputs, UnsafePointer<UInt32>, LaneInputs, LaneInputs
      ) -> UInt32
    private typealias P256Product =
      @convention(c) (
        LaneOutputs, LaneInputs, LaneInputs, LaneInputs, LaneInputs?, UnsafeMutablePointer<UInt8>?
      ) -> UInt32
    private typealias P256BaseProduct =
      @convention(c) (LaneOutputs, LaneOutputs, LaneOutputs?, LaneInputs, UnsafeMutablePointer<UInt8>?) ->
      UInt32

    nonisolated(unsafe) private static let functions: [String: UnsafeMutableRawPointer] = unsafe [
      "mbx_x25519_mb8": address({ unsafe multiply($0, $1, $2, altering: -1) } as Product),
      "mbx_x25519_public_key_mb8": address({ unsafe multiplyBase($0, $1, altering: -1) } as BaseProduct),
      "mbx_ed25519_sign_mb8": address({ unsafe sign($0, $1, $2, $3, $4, $5, altering: -1) } as Sign),
      "mbx_nistp256_ecdh_mb8": address(
        { x, scalars, xs, ys, _, _ in unsafe multiply(x, scalars, xs, ys) } as P256Product),
      "mbx_nistp256_ecpublic_key_mb8": address(
        { x, y, _, scalars, _ in unsafe multiplyBase(x, y, scalars) } as P256BaseProduct),
    ]

    nonisolated(unsafe) private static let wrongFunctions: [String: UnsafeMutableRawPointer] = unsafe [
      "mbx_x25519_mb8": address({ unsafe multiply($0, $1, $2, altering: 5) } as Product),
      "mbx_x25519_public_key_mb8": address({ unsafe multiplyBase($0, $1, altering: 5) } as BaseProduct),
      "mbx_ed25519_sign_mb8": address({ unsafe sign($0, $1, $2, $3, $4, $5, altering: 5) } as Sign),
    ]

    nonisolated(unsafe) private static let refusingProduct = unsafe address(
      { unsafe multiply($0, $1, $2, altering: 3) | 4 << 12 } as Product)

    nonisolated(unsafe) private static let largeProduct = unsafe address(
      { unsafe multiply($0, $1, $2, wrongFor: [0xec] + [UInt8](repeating: 0xff, count: 30) + [0x7f]) }
        as Product)

    nonisolated(unsafe) private static let pointProduct = unsafe address(
      { unsafe multiply($0, $1, $2, wrongFor: [UInt8](repeating: 0x2a, count: 32)) } as Product)

    nonisolated(unsafe) private static let turningProduct = unsafe address(
      { unsafe multiply($0, $1, $2, altering: turning.load(ordering: .relaxed)) } as Product)

    private static func address<Function>(_ function: Function) -> UnsafeMutableRawPointer {
      unsafe unsafeBitCast(function, to: UnsafeMutableRawPointer.self)
    }

    // MARK: What the functions compute

    private static func multiply(
      _ outputs: LaneOutputs, _ scalars: LaneInputs, _ points: LaneInputs, altering altered: Int
    ) -> UInt32 {
      for lane in 0..<8 {
        let secret = unsafe SodiumX25519.sharedSecret(
          privateKey: bytes(scalars, lane).span, publicKey: bytes(points, lane).span)
        unsafe write(exposed(secret), to: outputs, lane, isAltered: lane == altered)
      }
      return 0
    }

    private static func multiply(
      _ outputs: LaneOutputs, _ scalars: LaneInputs, _ points: LaneInputs, wrongFor point: [UInt8]
    ) -> UInt32 {
      let lane = (0..<8).first { unsafe bytes(points, $0) == point }
      return unsafe multiply(outputs, scalars, points, altering: lane ?? -1)
    }

    private static func multiplyBase(
      _ outputs: LaneOutputs, _ scalars: LaneInputs, altering altered: Int
    ) -> UInt32 {
      for lane in 0..<8 {
        let publicKey = unsafe SodiumX25519.publicKeys(of: bytes(scalars, lane).span)
        unsafe write(publicKey, to: outputs, lane, isAltered: lane == altered)
      }
      return 0
    }

    private static func sign(
      _ r: LaneOutputs, _ s: LaneOutputs, _ texts: LaneInputs, _ counts: UnsafePointer<UInt32>,
      _ privateKeys: LaneInputs, _ publicKeys: LaneInputs, altering altered: Int
    ) -> UInt32 {
      for lane in 0..<8 {
        let signature = unsafe SodiumEd25519.sign(
          bytes(texts, lane, count: Int(counts[lane])).span, privateKey: bytes(privateKeys, lane).span,
          publicKey: bytes(publicKeys, lane).span)
        unsafe write(Array(signature[..<32]), to: r, lane, isAltered: false)
        unsafe write(Array(signature[32...]), to: s, lane, isAltered: lane == altered)
      }
      return 0
    }

    /// Numbers are little endian, and the answer is not.
    private static func multiply(
      _ outputs: LaneOutputs, _ scalars: LaneInputs, _ x: LaneInputs, _ y: LaneInputs
    ) -> UInt32 {
      for lane in 0..<8 {
        let point = unsafe [4] + bytes(x, lane).reversed() + bytes(y, lane).reversed()
        guard
          let secret = unsafe OpenSSLP256.sharedSecret(
            privateKey: Array(bytes(scalars, lane).reversed()).span, publicKey: point.span)
        else { return 2 << UInt32(4 * lane) }
        unsafe write(exposed(secret), to: outputs, lane, isAltered: false)
      }
      return 0
    }

    private static func multiplyBase(_ x: LaneOutputs, _ y: LaneOutputs, _ scalars: LaneInputs) -> UInt32 {
      for lane in 0..<8 {
        guard let key = unsafe OpenSSLP256.publicKey(of: Array(bytes(scalars, lane).reversed()).span) else {
          return 2 << UInt32(4 * lane)
        }
        unsafe write(key[1..<33].reversed(), to: x, lane, isAltered: false)
        unsafe write(key[33...].reversed(), to: y, lane, isAltered: false)
      }
      return 0
    }

    private static func bytes(_ inputs: LaneInputs, _ lane: Int, count: Int = 32) -> [UInt8] {
      unsafe Array(UnsafeBufferPointer(start: inputs[lane], count: count))
    }

    private static func write(_ bytes: [UInt8], to outputs: LaneOutputs, _ lane: Int, isAltered: Bool) {
      for (index, byte) in bytes.enumerated() {
        unsafe outputs.start(of: lane)[index] = index == 0 && isAltered ? byte ^ 1 : byte
      }
    }
  }
#endif
