import PushCrypto
import PushCore
import PushKeys
import Synchronization

/// A P-256 key that stands for one in hardware: it agrees, or does not, and tells what it was asked.
final class HardwareKey: P256KeyAgreement {
  /// What it answers.
  enum Answer: Sendable {
    case right
    case bytes([UInt8])
    case failure(KeyStoreError)
  }

  let publicKey: [UInt8]
  private let privateKey: SharedSecret
  private let answer: Answer
  private let state = Mutex(State())

  private struct State {
    var questions: [[UInt8]] = []
    var trace: MemoryTrace?
  }

  init(_ answer: Answer = .right, seed: UInt8 = 7) throws {
    let seed = [UInt8](repeating: seed, count: 32)
    let pair = try DHKEM.p256.deriveKeyPair(from: seed.span)
    publicKey = pair.publicKey
    privateKey = SharedSecret(pair.takePrivateKey())
    self.answer = answer
  }

  init(privateKey: [UInt8], publicKey: [UInt8]) {
    self.publicKey = publicKey
    self.privateKey = SharedSecret(Secret(copying: privateKey.span))
    answer = .right
  }

  /// The public keys with which it was to agree.
  var questions: [[UInt8]] { state.withLock { $0.questions } }

  /// Where the last answer stood.
  var trace: MemoryTrace? { state.withLock { $0.trace } }

  func sharedSecret(withX963 publicKey: [UInt8]) throws(KeyStoreError) -> [UInt8] {
    state.withLock { $0.questions.append(publicKey) }
    var secret: [UInt8]
    switch answer {
    case .failure(let error): throw error
    case .bytes(let bytes): secret = bytes.map { $0 }
    case .right: secret = try agree(on: publicKey)
    }
    // What is empty has no memory of its own.
    secret.reserveCapacity(32)
    let trace = MemoryTrace(of: secret)
    state.withLock { $0.trace = trace }
    return secret
  }

  private func agree(on publicKey: [UInt8]) throws(KeyStoreError) -> [UInt8] {
    let privateKey = self.privateKey
    guard
      let secret = try? P256.sharedSecret(privateKey: privateKey.exposedBytes, publicKey: publicKey.span)
    else { throw .unavailable }
    return [UInt8](copying: secret.exposedBytes)
  }

  /// The device's key that it is behind.
  var deviceKey: DeviceKey {
    get throws { try DeviceKey(p256: publicKey, agreement: self) }
  }
}

/// A store with one key.
struct OneKeyStore: DeviceKeyStore {
  let key: DeviceKey

  func deviceKey(for id: KeyID, at now: UnixTime) -> DeviceKey? {
    key.thumbprint.keyID == id ? key : nil
  }
}
