internal import PushCrypto
public import PushEnvelope

/// A device's or a sender's private key outside of a set, on its way from or to another program.
public struct PrivateKey: Sendable {
  /// Its public key, computed anew.
  public let publicKey: PublicKey

  fileprivate let secret: StoredSecret

  /// What it is for.
  public var algorithm: KeyAlgorithm { publicKey.algorithm }

  /// Its name.
  public var thumbprint: Thumbprint { publicKey.thumbprint }

  /// Reads a key's 32 bytes: of X25519 the scalar, of P-256 the scalar in big endian, of Ed25519 the seed (RFC 8032).
  ///
  /// - Throws: ``PrivateKeyError/malformed`` for another length, zero, or a scalar that P-256 does not have, and
  ///   ``PrivateKeyError/unsupported`` for a shared key.
  public init(raw bytes: Span<UInt8>, _ algorithm: KeyAlgorithm) throws(PrivateKeyError) {
    guard algorithm.pair != nil else { throw .unsupported }
    guard let point = try? algorithm.publicKey(of: bytes),
      let publicKey = try? PublicKey(algorithm, bytes: point)
    else { throw .malformed }
    self.publicKey = publicKey
    secret = StoredSecret(Secret(copying: bytes))
  }

  /// Takes a key of a set.
  fileprivate init(_ publicKey: PublicKey, _ secret: StoredSecret) {
    self.publicKey = publicKey
    self.secret = secret
  }
}

extension PrivateKey {
  /// Reads a private key of another program, `raw` for `algorithm`; other formats say themselves what they hold.
  ///
  /// - Throws: ``PrivateKeyError``.
  public init(
    parsing bytes: Span<UInt8>, as format: KeyFormat, _ algorithm: KeyAlgorithm
  ) throws(PrivateKeyError) {
    switch format {
    case .raw: try self.init(raw: bytes, algorithm)
    case .pem: try self.init(pem: bytes)
    case .jwk: try self.init(jwk: bytes)
    }
  }

  /// Reads PKCS#8 in PEM, without a password; certificates and parameters beside it are passed over.
  ///
  /// - Throws: ``PrivateKeyError``.
  public init(pem text: Span<UInt8>) throws(PrivateKeyError) {
    let key: PEM.PrivateKey
    do throws(PEMError) {
      key = try PEM.PrivateKey(text, among: KeyAlgorithm.allCases.compactMap(\.pair))
    } catch {
      throw PrivateKeyError(error)
    }
    guard let algorithm = KeyAlgorithm.allCases.first(where: { $0.pair?.pkcs8 == key.kind.pkcs8 }) else {
      throw .unsupported
    }
    try self.init(raw: key.secret.exposedBytes, algorithm)
  }

  /// Reads a private JWK, our own or a third party's.
  ///
  /// `kty`, `crv`, `x`, `d` and P-256's `y` must be there. `use` and `alg` may be absent, but must be ours if they
  /// are there: a key serves one purpose. Other members say nothing here.
  ///
  /// - Throws: ``PrivateKeyError/jwk(_:)``, ``PrivateKeyError/notPrivate``, ``PrivateKeyError/mismatch``,
  ///   ``PrivateKeyError/notOneKey``.
  public init(jwk text: Span<UInt8>) throws(PrivateKeyError) {
    var reader = KeySetReader(text, isPrivate: true, ignoresUnknown: true)
    let pair: (PublicKey, StoredSecret)
    do throws(KeySetError) {
      pair = try reader.readKey().keyPair()
    } catch {
      switch error {
      case .missingPrivateKey: throw .notPrivate
      case .keyMismatch: throw .mismatch
      case .unknownMember(nil, _): throw .notOneKey
      default: throw .jwk(error)
      }
    }
    self.init(pair.0, pair.1)
  }
}

extension PrivateKeyError {
  /// What is wrong with PEM.
  fileprivate init(_ error: PEMError) {
    switch error {
    case .malformed: self = .malformed
    case .encrypted: self = .encrypted
    case .notPrivate: self = .notPrivate
    case .unsupported: self = .unsupported
    case .notPKCS8: self = .notPKCS8
    case .notOneKey: self = .notOneKey
    case .mismatch: self = .mismatch
    }
  }
}

extension PrivateKey: CustomReflectable {
  /// The public key.
  public var customMirror: Mirror { Mirror(self, children: ["publicKey": publicKey]) }
}

extension KeySet {
  /// Makes a set of one key from elsewhere, active from `now`, and of a sender's next one.
  public init(importing key: PrivateKey, at now: UnixTime) {
    var keys = [StoredKey(key, at: now)]
    if key.algorithm == .ed25519 {
      keys.append(StoredKey(generating: .ed25519, at: now, as: .next, random: SystemRandom()))
    }
    guard let set = try? KeySet(keys) else { preconditionFailure("an active key and a random one are a set") }
    self = set
  }

  /// The private key of that name, to write it for another program; null for a shared one, or if there is none.
  public func privateKey(_ id: Thumbprint) -> PrivateKey? {
    guard let key = keys.first(where: { $0.record.id == id }) else { return nil }
    return key.record.publicKey.map { PrivateKey($0, key.secret) }
  }
}

extension StoredKey {
  /// Takes a key from elsewhere, active from `now`.
  init(_ key: PrivateKey, at now: UnixTime) {
    self.init(
      record: KeyRecord(publicKey: key.publicKey, life: KeyLife(issuedAt: now, status: .active)),
      secret: key.secret)
  }
}

/// Why a private key of another program cannot be read.
public enum PrivateKeyError: Error, Equatable, Sendable {
  /// It is not in the format, or no private key of its kind.
  case malformed
  /// It is under a password.
  case encrypted
  /// It is a public key.
  case notPrivate
  /// It is a key of a kind that has no use here.
  case unsupported
  /// It is a private key in PEM, and not in PKCS#8.
  case notPKCS8
  /// It is a JWK Set, or PEM with several private keys, and one key is needed.
  case notOneKey
  /// Its public half is another key's.
  case mismatch
  /// It is a JWK, and this is wrong with it; there is one key, with the index 0.
  case jwk(KeySetError)
}

/// How a single key is written for other programs.
public enum KeyFormat: String, Sendable, CaseIterable {
  /// A JWK (RFC 7517, 8037).
  case jwk

  /// PEM: PKCS#8 of a private key, SubjectPublicKeyInfo of a public one (RFC 7468, 8410, 5480).
  case pem

  /// The bytes: 32 of a private key, 32 or P-256's 65 of a public one.
  case raw
}

extension PublicKey {
  /// The key for other programs, text with a line break at its end.
  ///
  /// A JWK has the members that RFC 7638 needs, and `kid`, `use` and `alg`.
  public func encoded(as format: KeyFormat) -> [UInt8] {
    switch format {
    case .raw: bytes
    case .pem: PEM.publicKey(bytes.span, pair)
    case .jwk: KeySetWriter.encode(self, nil)
    }
  }
}

extension PrivateKey {
  /// Calls `body` with the key for other programs, and wipes it afterwards.
  ///
  /// It is the secret itself. What `body` copies out of it, `body` has to wipe.
  public func withEncodedBytes<Result, Failure: Error>(
    as format: KeyFormat, _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    var bytes = encoded(as: format)
    defer { bytes.wipe() }
    return try body(bytes.span)
  }

  /// The key for other programs, in an array that the caller wipes.
  private func encoded(as format: KeyFormat) -> [UInt8] {
    let pair = publicKey.pair
    let point = publicKey.bytes
    return switch format {
    case .raw: secret.withExposedBytes { [UInt8](copying: $0) }
    case .pem: secret.withExposedBytes { PEM.privateKey($0, point.span, pair) }
    case .jwk: KeySetWriter.encode(publicKey, secret)
    }
  }
}

extension PublicKey {
  /// The kind of its pair, which a public key always has.
  fileprivate var pair: any KeyKind {
    guard let pair = algorithm.pair else { preconditionFailure("a public key is half of a pair") }
    return pair
  }
}

/// What may be a private key of another program, wiped at the end of its life.
package struct PrivateKeyInput: ~Copyable {
  /// The most that is read, in bytes.
  package static let maximumSize = PEM.maximumSize

  private let memory: Secret
  private let count: Int

  /// Calls `read` with the memory and the first place in it that is free, until it reads nothing more, which gives 0;
  /// null if it gives less, or if there is too much.
  package init?(_ read: (inout MutableSpan<UInt8>, Int) -> Int) {
    var count = 0
    var isWhole = false
    let memory = Secret(count: Self.maximumSize) { bytes in
      while count < bytes.count {
        let more = read(&bytes, count)
        guard more > 0 else {
          isWhole = more == 0
          return
        }
        count += more
      }
    }
    guard isWhole else { return nil }
    self.memory = memory
    self.count = count
  }

  /// The key.
  ///
  /// - Throws: ``PrivateKeyError``.
  package func key(
    as format: KeyFormat, _ algorithm: KeyAlgorithm
  ) throws(PrivateKeyError) -> PrivateKey {
    try PrivateKey(parsing: memory.exposedBytes.extracting(0..<count), as: format, algorithm)
  }
}
