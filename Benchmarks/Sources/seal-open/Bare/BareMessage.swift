import BareOpenSSL
import BareSodium

/// How long the pieces of a message are, in bytes.
struct MessageSizes {
  let topic: Int
  let content: Int
  let plaintext: Int
  let encapsulatedKey: Int

  /// "sealed-push v1" 0x00 | topic length (2) | topic | version | suite | thumbprint (32).
  var info: Int { 15 + 2 + topic + 1 + 1 + 32 }

  /// "sealed-push v1 signature" 0x00 | info | type, message id, time, lifetime, sender key id | content.
  var signatureInput: Int { 25 + info + 1 + 16 + 8 + 4 + 8 + content }
}

/// The primitives that sealing and opening one message takes, and nothing around them: no JSON, no envelope,
/// nothing allocated, nothing wiped.
///
/// The libraries are those that the product takes each primitive from.
final class BareMessage {
  private let suite: any BareSuite
  private let sealing: BareHMAC
  private let opening: BareHMAC
  private let signature: BareEd25519?
  private let content: [UInt8]
  private var seed = [UInt8](repeating: 0, count: 32)
  private var digest = [UInt8](repeating: 0, count: 32)
  private var digestState = SHA256_CTX()

  init(_ suite: any BareSuite, codes: HMACInputSizes, sizes: MessageSizes, isSigned: Bool) throws {
    self.suite = suite
    opening = BareHMAC(inputSizes: codes.opening)
    sealing = BareHMAC(inputSizes: codes.sealing)
    signature = isSigned ? try BareEd25519(messageSize: sizes.signatureInput) : nil
    content = [UInt8](repeating: 0x61, count: sizes.content)
  }

  /// 32 random bytes, a signature, five HMACs, a key pair, a key agreement and one AEAD; with a shared key four
  /// HMACs, and no key pair and agreement.
  func seal() throws {
    randombytes_buf(&seed, seed.count)
    signature?.sign()
    sealing.run()
    try suite.seal()
    blackHole(seed)
  }

  /// A key agreement, six HMACs (with a shared key none, and four), one AEAD, a signature's check and the SHA-256 that tells replays.
  func open() throws {
    opening.run()
    try suite.open()
    try signature?.verify()
    SHA256_Init(&digestState)
    SHA256_Update(&digestState, content, content.count)
    SHA256_Final(&digest, &digestState)
    blackHole(digest)
  }
}

/// A suite's key agreement and AEAD.
protocol BareSuite: AnyObject {
  /// A key pair, a key agreement with its secret half, if the suite has them, and an encryption.
  func seal() throws

  /// A key agreement with the encapsulated key, if the suite has one, and a decryption.
  func open() throws
}
