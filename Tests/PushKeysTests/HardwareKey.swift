import Locks
import PushCore
import PushCrypto
import PushKeys

/// A P-256 key that stands in for one in hardware: it gives the chosen answer, and records its calls.
final class HardwareKey: P256KeyAgreement {
  /// The answers that it can give.
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

  /// The public keys that it was called with.
  var questions: [[UInt8]] { state.withLock { $0.questions } }

  /// The memory of the last answer.
  var trace: MemoryTrace? { state.withLock { $0.trace } }

  func sharedSecret(withX963 publicKey: [UInt8]) throws(KeyStoreError) -> [UInt8] {
    state.withLock { $0.questions.append(publicKey) }
    var secret: [UInt8]
    switch answer {
    case .failure(let error): throw error
    case .bytes(let bytes): secret = bytes.map { $0 }
    case .right: secret = try agree(on: publicKey)
    }
    // An empty array has no memory of its own.
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

  /// The device key that uses it.
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
