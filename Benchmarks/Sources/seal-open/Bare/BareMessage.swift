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
  private let hpke: any BareHPKE
  private let sealing: BareOpenSSLHMAC
  private let opening: BareSodiumHMAC
  private let signature: BareEd25519?
  private let content: [UInt8]
  private var seed = [UInt8](repeating: 0, count: 32)
  private var digest = [UInt8](repeating: 0, count: 32)

  init(hpke: any BareHPKE, sizes: MessageSizes, isSigned: Bool) throws {
    self.hpke = hpke
    let keySchedule = HMACInputSizes.opening(info: sizes.info, encapsulatedKey: sizes.encapsulatedKey)
    opening = BareSodiumHMAC(inputSizes: keySchedule)
    sealing = try BareOpenSSLHMAC(inputSizes: HMACInputSizes.keyDerivation + keySchedule)
    signature = isSigned ? try BareEd25519(messageSize: sizes.signatureInput) : nil
    content = [UInt8](repeating: 0x61, count: sizes.content)
  }

  /// 32 random bytes, a signature, eight HMACs, a key pair, a key agreement and one AEAD.
  func seal() throws {
    randombytes_buf(&seed, seed.count)
    signature?.sign()
    try sealing.run()
    try hpke.seal()
    blackHole(seed)
  }

  /// A key agreement, six HMACs, one AEAD, a signature's check and the SHA-256 that tells replays.
  func open() throws {
    opening.run()
    try hpke.open()
    try signature?.verify()
    crypto_hash_sha256(&digest, content, UInt64(content.count))
    blackHole(digest)
  }
}

/// A suite's key agreement and AEAD.
protocol BareHPKE: AnyObject {
  /// A key pair, a key agreement with its secret half, an encryption.
  func seal() throws

  /// A key agreement with the encapsulated key, a decryption.
  func open() throws
}
