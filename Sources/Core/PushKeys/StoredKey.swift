private import Locks
internal import PushCore
internal import PushCrypto

/// A key in a set, with its secret.
struct StoredKey: Sendable {
  /// The key without its secret.
  var record: KeyRecord

  /// The private or shared key, or its handle.
  let material: KeyMaterial

  /// Generates a key that is issued at `now`.
  ///
  /// - Throws: ``KeySetError/unavailable(_:)``.
  init(
    generating algorithm: KeyAlgorithm, at now: UnixTime, as status: KeyStatus = .active,
    random: some RandomSource
  ) throws(KeySetError) {
    let seed = random.secret(count: algorithm.secretSize)
    guard let key = try? Self(algorithm: algorithm, seed: seed, life: KeyLife(issuedAt: now, status: status))
    else {
      // The library's configuration can take an algorithm away.
      guard let suite = algorithm.suite, !suite.isAvailable else {
        preconditionFailure("random bytes give a key")
      }
      throw .unavailable(suite)
    }
    self = key
  }

  /// Generates a signing key that is issued at `now`; every system has the algorithm.
  init(signingFrom now: UnixTime, as status: KeyStatus = .active, random: some RandomSource) {
    guard let key = try? Self(generating: .ed25519, at: now, as: status, random: random) else {
      preconditionFailure("every system has Ed25519")
    }
    self = key
  }

  /// Makes a P-256 key in hardware, active and issued at `now`.
  ///
  /// - Throws: ``KeySetError/hardware(_:)``.
  init(in vault: any KeyVault, at now: UnixTime) throws(KeySetError) {
    do throws(KeyVaultError) {
      let (handle, bytes) = try vault.makeKey()
      guard let publicKey = try? PublicKey(algorithm: .p256, bytes: bytes),
        (1...HardwareKey.maximumHandleSize).contains(handle.count)
      else { throw KeyVaultError("it returned no P-256 key") }
      let life = KeyLife(issuedAt: now, status: .active)
      self.init(
        record: KeyRecord(publicKey: publicKey, life: life),
        material: .hardware(HardwareKey(vault: vault, handle: handle)))
    } catch {
      throw .hardware(error.reason)
    }
  }

  /// Makes a value from checked parts.
  init(record: KeyRecord, material: KeyMaterial) {
    self.record = record
    self.material = material
  }

  private init(algorithm: KeyAlgorithm, seed: borrowing Secret, life: KeyLife) throws {
    guard let kind = algorithm.pair else {
      try SharedKey.validate(seed.exposedBytes)
      record = KeyRecord(sharedKey: Thumbprint(sharedKey: seed.exposedBytes), life: life)
      material = .secret(StoredSecret(Secret(copying: seed.exposedBytes)))
      return
    }
    // RFC 9180, 4: GenerateKeyPair() may be DeriveKeyPair(random(Nsk)).
    let pair = try kind.deriveKeyPair(from: seed.exposedBytes)
    record = KeyRecord(publicKey: try PublicKey(algorithm: algorithm, bytes: pair.publicKey), life: life)
    material = .secret(StoredSecret(pair.takePrivateKey()))
  }

  /// The same key with another life.
  func with(life: KeyLife) -> StoredKey { StoredKey(record: record.with(life: life), material: material) }

  /// The key as a ``SigningKey``.
  ///
  /// - Throws: ``KeySetError/wrongRole`` if the key is not a signing key.
  var signingKey: SigningKey {
    get throws(KeySetError) {
      guard let publicKey = record.publicKey, let secret = material.secret,
        let key = SigningKey(publicKey: publicKey, secret: secret.guarded())
      else {
        throw .wrongRole
      }
      return key
    }
  }
}

/// What a set has of a key: the private or shared key itself, or the handle of one that stays in hardware.
enum KeyMaterial: Sendable {
  /// The key.
  case secret(StoredSecret)

  /// The handle.
  case hardware(HardwareKey)

  /// The key itself; nil if it is in hardware.
  var secret: StoredSecret? {
    guard case .secret(let secret) = self else { return nil }
    return secret
  }

  /// The hardware that has the key; nil if the set has it.
  var vault: (any KeyVault)? {
    guard case .hardware(let key) = self else { return nil }
    return key.vault
  }
}

extension StoredKey: CustomReflectable {
  /// Shows only the record.
  var customMirror: Mirror { Mirror(self, children: ["record": record]) }
}

/// A private or shared key in a set: on the heap until it is first used, then in guarded memory.
///
/// Guarded memory takes four mappings for each secret, but a set may hold thousands of keys, most of them never used.
/// The heap copy is wiped when the guarded copy is made.
final class StoredSecret: Sendable {
  private let place: Mutex<Place>
  private let opening = Mutex<(any DecapsulationKey)?>(nil)

  /// Takes ownership of a secret on the heap.
  init(_ secret: consuming Secret) { place = Mutex(Place(atRest: secret)) }

  /// Returns the secret in guarded memory, the same object each time.
  func guarded() -> SharedSecret {
    place.withLock { place in
      if let secret = place.inUse { return secret }
      let secret = Self.guardedCopy(of: place.atRest)
      place.inUse = secret
      place.atRest = nil
      return secret
    }
  }

  /// Returns the key that opens messages of this KEM, the same object each time.
  ///
  /// An X-Wing key is expanded only once, so every message benefits as long as the set is in memory.
  func decapsulationKey(for kem: any KEM) -> any DecapsulationKey {
    opening.withLock { opening in
      if let opening { return opening }
      let key = kem.decapsulationKey(for: guarded())
      opening = key
      return key
    }
  }

  /// Calls `body` with the bytes.
  func withExposedBytes<Result: Sendable>(_ body: (Span<UInt8>) -> Result) -> Result {
    place.withLock { place in
      if let secret = place.inUse { return body(secret.exposedBytes) }
      return Self.expose(place.atRest, to: body)
    }
  }

  private static func guardedCopy(of secret: borrowing Secret?) -> SharedSecret {
    expose(secret) { SharedSecret(Secret(copying: $0, in: .guarded)) }
  }

  private static func expose<Result: Sendable>(
    _ secret: borrowing Secret?, to body: (Span<UInt8>) -> Result
  ) -> Result {
    switch secret {
    case .some(let secret): body(secret.exposedBytes)
    case .none: preconditionFailure("a secret is on the heap or in use")
    }
  }
}

/// Where a secret is: one of the two is not nil.
private struct Place: ~Copyable {
  var atRest: Secret?
  var inUse: SharedSecret?
}

extension StoredSecret: CustomReflectable {
  /// Shows nothing.
  var customMirror: Mirror { Mirror(self, children: []) }
}

extension Thumbprint {
  /// The thumbprint of a shared key, which reveals nothing of the key (FORMAT.md, section 3).
  ///
  /// T = HKDF-SHA256(salt: none, K, "sealed-push v1 shared id", 32).
  init(sharedKey: Span<UInt8>) {
    let info = Array("sealed-push v1 shared id".utf8)
    let bytes = SharedKey.derive(count: Self.size, from: sharedKey, salt: Span(), info: info.span)
    guard let thumbprint = Thumbprint([UInt8](copying: bytes.exposedBytes)) else {
      preconditionFailure("a thumbprint has \(Self.size) bytes")
    }
    self = thumbprint
  }
}
