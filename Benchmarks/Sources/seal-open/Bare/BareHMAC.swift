import BareSodium

/// HMAC-SHA256 from libsodium, over inputs of given lengths, each in one piece.
final class BareHMAC {
  private let inputs: [[UInt8]]
  private let key = [UInt8](repeating: 0x0b, count: 32)
  private var state = crypto_auth_hmacsha256_state()
  private var code = [UInt8](repeating: 0, count: 32)

  init(inputSizes: [Int]) {
    inputs = inputSizes.map { [UInt8](repeating: 0xcd, count: $0) }
  }

  func run() {
    for input in inputs {
      crypto_auth_hmacsha256_init(&state, key, key.count)
      crypto_auth_hmacsha256_update(&state, input, UInt64(input.count))
      crypto_auth_hmacsha256_final(&state, &code)
    }
    blackHole(code)
  }
}

/// What HPKE authenticates (RFC 9180, 4 and 5.1): "HPKE-v1", the suite's id, a label, the input; in an expansion
/// also the length before and the block's number behind.
extension BareHMAC {
  private static let kemPrefix = 7 + 5
  private static let hpkePrefix = 7 + 10
  private static let expansion = 2 + 1
  private static let keyScheduleContext = 1 + 32 + 32

  /// DeriveKeyPair: "dkp_prk" of 32 bytes, and "sk" (of P-256 "candidate", 8 bytes longer in the same block).
  static let keyDerivation = [kemPrefix + 7 + 32, expansion + kemPrefix + 2]

  /// ExtractAndExpand ("eae_prk", "shared_secret") and KeySchedule ("psk_id_hash", "info_hash", "secret", "key",
  /// "base_nonce").
  static func opening(info: Int, encapsulatedKey: Int) -> [Int] {
    [
      kemPrefix + 7 + 32, expansion + kemPrefix + 13 + 2 * encapsulatedKey,
      hpkePrefix + 11, hpkePrefix + 9 + info, hpkePrefix + 6,
      expansion + hpkePrefix + 3 + keyScheduleContext, expansion + hpkePrefix + 10 + keyScheduleContext,
    ]
  }
}
