import Locks
import Testing
@testable import PushCrypto

/// Encapsulations that are prepared together, against those prepared one by one.
struct HPKEBatchTests {
  private let plaintext: [UInt8] = Array("message".utf8)
  private let info: [UInt8] = [1, 2, 3]

  /// A message has the same bytes, whether its key pair was made alone or in a batch.
  @Test(arguments: HPKESuite.allCases, [1, 2, 7, 64])
  func `a batch seals as one by one`(suite: HPKESuite, count: Int) throws {
    let recipient = try recipient(suite)
    let ikm = (0..<count).map { position in (0..<32).map { UInt8((7 * position + $0) % 256) } }
    let batch = try HPKEBatch(
      to: Array(repeating: recipient, count: count), suite: suite,
      random: FixedRandom(value: ikm.flatMap(\.self)))
    for ikmE in ikm {
      let message = try batch.seal(plaintext.span, to: recipient.span, info: info.span, aad: Span())
      let single = try HPKE.seal(
        plaintext.span, to: recipient.span, suite: suite, info: info.span, aad: Span(),
        random: FixedRandom(value: ikmE))
      #expect(message == single)
      #expect(message.encapsulatedKey == (try suite.kem.deriveKeyPair(from: ikmE.span).publicKey))
    }
  }

  /// GenerateKeyPair draws the private key itself (RFC 9180, 4).
  @Test(arguments: HPKESuite.allCases) func `an unpredictable key is not derived`(suite: HPKESuite) throws {
    let bytes = (0..<96).map { UInt8($0 + 1) }
    let recipient = try recipient(suite)
    let batch = try HPKEBatch(
      to: Array(repeating: recipient, count: 3), suite: suite, random: UnpredictableRandom(bytes))
    for start in [0, 32, 64] {
      let message = try batch.seal(plaintext.span, to: recipient.span, info: info.span, aad: Span())
      let privateKey = Array(bytes[start..<start + 32])
      #expect(message.encapsulatedKey == (try suite.kem.publicKey(of: privateKey.span)))
    }
    #expect(!SystemRandom().isRepeatable)
  }

  /// Draws the order itself, then zero, then the number below the order, which is valid.
  @Test func `what is no private key of P-256 is drawn again`() throws {
    let order = bytes("ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551")
    let last = bytes("ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632550")
    let random = UnpredictableRandom(order + [UInt8](repeating: 0, count: 32) + last)
    let recipient = try recipient(.p256AESGCM)
    let batch = try HPKEBatch(to: [recipient], suite: .p256AESGCM, random: random)
    let message = try batch.seal(plaintext.span, to: recipient.span, info: info.span, aad: Span())
    #expect(message.encapsulatedKey == (try P256.publicKey(of: last.span)))
  }

  @Test func `a source that gives no private key of P-256 does not hang`() throws {
    let recipient = try recipient(.p256AESGCM)
    #expect(throws: CryptoError.invalidPrivateKey) {
      _ = try HPKEBatch(
        to: [recipient], suite: .p256AESGCM,
        random: UnpredictableRandom([UInt8](repeating: 0xff, count: 1 << 14)))
    }
  }

  @Test(arguments: HPKESuite.allCases) func `every message has another key`(suite: HPKESuite) throws {
    let recipient = try recipient(suite)
    let batch = try HPKEBatch(
      to: Array(repeating: recipient, count: 64), suite: suite, random: SystemRandom())
    var seen: Set<[UInt8]> = []
    for _ in 0..<64 {
      let message = try batch.seal(plaintext.span, to: recipient.span, info: info.span, aad: Span())
      seen.insert(message.encapsulatedKey)
    }
    #expect(seen.count == 64)
  }

  @Test func `a recipient that is refused uses a key up and harms no other`() throws {
    let recipient = try recipient(.x25519ChaChaPoly)
    let smallOrder = [UInt8](repeating: 0, count: 32)
    let ikm = [UInt8](repeating: 1, count: 32) + [UInt8](repeating: 2, count: 32)
    let batch = try HPKEBatch(
      to: [smallOrder, recipient], suite: .x25519ChaChaPoly, random: FixedRandom(value: ikm))
    #expect(error(smallOrder, batch) == .invalidPublicKey)
    let message = try batch.seal(plaintext.span, to: recipient.span, info: info.span, aad: Span())
    let second = try DHKEM.x25519.deriveKeyPair(from: [UInt8](repeating: 2, count: 32).span)
    #expect(message.encapsulatedKey == second.publicKey)
  }

  @Test func `a key pair serves no second message`() async {
    await #expect(processExitsWith: .failure) {
      try Self.sealTwiceWithOneKey()
    }
  }

  /// Each of 20 has its own recipient, so that three groups of eight are begun; every fourth one is refused.
  @Test(arguments: HPKESuite.allCases) func `each recipient opens its own message`(suite: HPKESuite) throws {
    let privateKeys = (0..<20).map { [UInt8](repeating: UInt8($0 + 1), count: 32) }
    let recipients = try privateKeys.map { privateKey in
      let publicKey = try suite.kem.publicKey(of: privateKey.span)
      return privateKey[0] % 4 == 0 ? [UInt8](repeating: 0, count: publicKey.count) : publicKey
    }
    let batch = try HPKEBatch(to: recipients, suite: suite, random: SystemRandom())
    for (privateKey, recipient) in zip(privateKeys, recipients) {
      guard privateKey[0] % 4 != 0 else {
        #expect(error(recipient, batch) == .invalidPublicKey)
        continue
      }
      let message = try batch.seal(plaintext.span, to: recipient.span, info: info.span, aad: Span())
      let opened = try HPKE.open(
        message.ciphertext.span, encapsulatedKey: message.encapsulatedKey.span, skR: privateKey.span,
        pkR: recipient.span, suite: suite, info: info.span, aad: Span())
      #expect(exposed(opened) == plaintext)
    }
  }

  @Test func `a message to another recipient than the next one is not sealed`() async {
    await #expect(processExitsWith: .failure) {
      let (first, second) = ([UInt8](repeating: 9, count: 32), [UInt8](repeating: 10, count: 32))
      let batch = try HPKEBatch(to: [first, second], suite: .x25519ChaChaPoly, random: SystemRandom())
      _ = try batch.setupSender(to: second.span, info: Span())
    }
  }

  @Test(arguments: [0, 65]) func `a batch has 1 to 64 key pairs`(count: Int) async {
    await #expect(processExitsWith: .failure) { [count] in
      let recipients = Array(repeating: [9] + [UInt8](repeating: 0, count: 31), count: count)
      _ = try HPKEBatch(to: recipients, suite: .x25519ChaChaPoly, random: SystemRandom())
    }
  }

  private static func sealTwiceWithOneKey() throws {
    let recipient = [9] + [UInt8](repeating: 0, count: 31)
    let batch = try HPKEBatch(to: [recipient], suite: .x25519ChaChaPoly, random: SystemRandom())
    for _ in 0..<2 { _ = try batch.setupSender(to: recipient.span, info: Span()) }
  }

  private func error(_ recipient: [UInt8], _ batch: HPKEBatch) -> CryptoError? {
    do throws(CryptoError) {
      _ = try batch.seal(plaintext.span, to: recipient.span, info: info.span, aad: Span())
      return nil
    } catch {
      return error
    }
  }

  private func recipient(_ suite: HPKESuite) throws -> [UInt8] {
    try suite.kem.deriveKeyPair(from: [UInt8](repeating: 7, count: 32).span).publicKey
  }
}

/// A source of listed bytes that claims to be unpredictable, like the system's.
private final class UnpredictableRandom: RandomSource {
  private let rest: Mutex<ArraySlice<UInt8>>

  init(_ bytes: [UInt8]) { rest = Mutex(bytes[...]) }

  var isRepeatable: Bool { false }

  func fill(_ bytes: inout MutableSpan<UInt8>) {
    let drawn = rest.withLock { rest in
      defer { rest = rest.dropFirst(bytes.count) }
      return Array(rest.prefix(bytes.count))
    }
    for index in bytes.indices { bytes[index] = drawn[index] }
  }
}
