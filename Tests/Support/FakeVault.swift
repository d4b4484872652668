import Locks
import PushCrypto
package import PushKeys

/// Hardware that stands in for the Secure Enclave: its keys are in memory, and their handles say where.
package final class FakeVault: KeyVault {
  private let keys = Mutex<[SharedSecret]>([])
  private let refusal = Mutex<String?>(nil)

  package init() {}

  /// The number of keys that were made.
  package var count: Int { keys.withLock { $0.count } }

  /// Refuses to make keys, with this reason.
  package func refuse(with reason: String) { refusal.withLock { $0 = reason } }

  package func makeKey() throws(KeyVaultError) -> (handle: [UInt8], publicKey: [UInt8]) {
    if let reason = refusal.withLock({ $0 }) { throw KeyVaultError(reason) }
    let seed = SystemRandom().secret(count: 32)
    guard let pair = try? DHKEM.p256.deriveKeyPair(from: seed.exposedBytes) else { throw KeyVaultError("") }
    let publicKey = pair.publicKey
    let privateKey = SharedSecret(pair.takePrivateKey())
    let number = keys.withLock { keys in
      keys.append(privateKey)
      return keys.count - 1
    }
    return (Self.handle(number), publicKey)
  }

  /// The handle of a key.
  package static func handle(_ number: Int) -> [UInt8] { Array("key \(number)".utf8) }

  package func sharedSecret(
    of handle: [UInt8], withX963 publicKey: [UInt8]
  ) throws(KeyStoreError) -> [UInt8] {
    let key = keys.withLock { keys in keys.indices.first { Self.handle($0) == handle }.map { keys[$0] } }
    guard let key,
      let secret = try? P256.sharedSecret(privateKey: key.exposedBytes, publicKey: publicKey.span)
    else { throw .unavailable }
    return [UInt8](copying: secret.exposedBytes)
  }
}
