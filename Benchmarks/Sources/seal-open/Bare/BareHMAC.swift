import BareOpenSSL
import BareSodium

/// HMAC-SHA256 from OpenSSL, with a context that is used again.
final class BareOpenSSLHMAC {
  private let inputs: [[UInt8]]
  private let key = [UInt8](repeating: 0x0b, count: 32)
  private let context: OpaquePointer
  private var code = [UInt8](repeating: 0, count: 32)

  /// What is allocated here lives as long as the process.
  init(inputSizes: [Int]) throws {
    inputs = inputSizes.map { [UInt8](repeating: 0xcd, count: $0) }
    var digest = Array("SHA256".utf8CString)
    guard let algorithm = EVP_MAC_fetch(nil, "HMAC", nil), let context = EVP_MAC_CTX_new(algorithm) else {
      throw BenchmarkError.primitiveFailed
    }
    self.context = context
    let isSet = digest.withUnsafeMutableBufferPointer { digest in
      // The parameter keeps its name's address.
      "digest".withCString { name in
        let parameter = OSSL_PARAM_construct_utf8_string(name, digest.baseAddress, 0)
        return EVP_MAC_CTX_set_params(context, [parameter, OSSL_PARAM_construct_end()]) == 1
      }
    }
    guard isSet else { throw BenchmarkError.primitiveFailed }
  }

  func run() throws {
    var written = 0
    for input in inputs {
      guard EVP_MAC_init(context, key, key.count, nil) == 1,
        EVP_MAC_update(context, input, input.count) == 1,
        EVP_MAC_final(context, &code, &written, code.count) == 1
      else { throw BenchmarkError.primitiveFailed }
    }
    blackHole(code)
  }
}

/// HMAC-SHA256 from libsodium.
final class BareSodiumHMAC {
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
  /// ExtractAndExpand ("eae_prk", "shared_secret") and KeySchedule ("info_hash", "secret", "key", "base_nonce");
  /// "psk_id_hash" is the same for all messages.
  init(hpke sizes: MessageSizes) {
    opening = [
      Self.kemPrefix + 7 + 32, Self.expansion + Self.kemPrefix + 13 + 2 * sizes.encapsulatedKey,
      Self.hpkePrefix + 9 + sizes.info, Self.hpkePrefix + 6,
      Self.expansion + Self.hpkePrefix + 3 + Self.keyScheduleContext,
      Self.expansion + Self.hpkePrefix + 10 + Self.keyScheduleContext,
    ]
    sealing = opening
  }

  /// A shared key's: the extraction, and three blocks of the expansion, each after the first with the one before.
  init(shared sizes: MessageSizes) {
    opening = [32, sizes.info + 1, 32 + sizes.info + 1, 32 + sizes.info + 1]
    sealing = opening
  }
}
