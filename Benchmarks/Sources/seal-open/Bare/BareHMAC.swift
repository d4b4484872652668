import BareOpenSSL

/// HMAC-SHA256 (RFC 2104) of OpenSSL's SHA-256, which is faster than its own HMAC for short inputs.
final class BareHMAC {
  private let inputs: [[UInt8]]
  private let innerPad = [UInt8](repeating: 0x0b ^ 0x36, count: 64)
  private let outerPad = [UInt8](repeating: 0x0b ^ 0x5c, count: 64)
  private var state = SHA256_CTX()
  private var code = [UInt8](repeating: 0, count: 32)

  init(inputSizes: [Int]) {
    inputs = inputSizes.map { [UInt8](repeating: 0xcd, count: $0) }
  }

  func run() {
    for input in inputs {
      SHA256_Init(&state)
      SHA256_Update(&state, innerPad, innerPad.count)
      SHA256_Update(&state, input, input.count)
      SHA256_Final(&code, &state)
      SHA256_Init(&state)
      SHA256_Update(&state, outerPad, outerPad.count)
      SHA256_Update(&state, code, code.count)
      SHA256_Final(&code, &state)
    }
    blackHole(code)
  }
}

/// What the HMACs of a message authenticate, in bytes.
struct HMACInputSizes {
  /// On the side that seals.
  let sealing: [Int]
  /// On the side that opens.
  let opening: [Int]

  private static let kemPrefix = 7 + 5
  private static let hpkePrefix = 7 + 10
  private static let expansion = 2 + 1
  private static let keyScheduleContext = 1 + 32 + 32

  /// HPKE's (RFC 9180, 4 and 5.1): "HPKE-v1", the suite's id, a label, the input; in an expansion also the length
  /// before and the block's number behind.
  ///
  /// KeySchedule ("info_hash", "secret", "key", "base_nonce"); "psk_id_hash" is the same for all messages, and to the
  /// sealing side "info_hash" for all messages to a recipient.
  init(hpke sizes: MessageSizes) {
    opening = [
      Self.hpkePrefix + 9 + sizes.info, Self.hpkePrefix + 6,
      Self.expansion + Self.hpkePrefix + 3 + Self.keyScheduleContext,
      Self.expansion + Self.hpkePrefix + 10 + Self.keyScheduleContext,
    ]
    sealing = Array(opening.dropFirst())
  }

  /// The same after a DHKEM's ExtractAndExpand ("eae_prk", "shared_secret").
  init(dhkem sizes: MessageSizes) {
    let kem = [Self.kemPrefix + 7 + 32, Self.expansion + Self.kemPrefix + 13 + 2 * sizes.encapsulatedKey]
    let schedule = HMACInputSizes(hpke: sizes)
    (opening, sealing) = (kem + schedule.opening, kem + schedule.sealing)
  }

  /// A shared key's: the extraction, and three blocks of the expansion, each after the first with the one before.
  init(shared sizes: MessageSizes) {
    opening = [32, sizes.info + 1, 32 + sizes.info + 1, 32 + sizes.info + 1]
    sealing = opening
  }
}
