internal import PushCrypto
package import PushCore

/// A single private key of a device or a sender, for import from and export to other software.
package struct PrivateKey: Sendable {
  /// The public key, computed from the private key.
  package let publicKey: PublicKey

  fileprivate let secret: StoredSecret

  /// The key's algorithm.
  package var algorithm: KeyAlgorithm { publicKey.algorithm }

  /// The key's thumbprint.
  package var thumbprint: Thumbprint { publicKey.thumbprint }

  /// Reads the 32 bytes of a key: the scalar for X25519, the big-endian scalar for P-256, the seed for Ed25519 (RFC
  /// 8032) and X-Wing.
  ///
  /// - Throws: ``PrivateKeyError/malformed`` for a wrong length, zero, or a scalar out of range for P-256;
  ///   ``PrivateKeyError/unsupported`` for a shared key; ``PrivateKeyError/unavailable(_:)``.
  package init(raw bytes: Span<UInt8>, algorithm: KeyAlgorithm) throws(PrivateKeyError) {
    guard algorithm.pair != nil else { throw .unsupported }
    if let suite = algorithm.suite, !suite.isAvailable { throw .unavailable(suite) }
    do {
      publicKey = try PublicKey(algorithm: algorithm, bytes: algorithm.publicKey(of: bytes))
    } catch CryptoError.unavailable {
      throw algorithm.suite.map { .unavailable($0) } ?? .unsupported
    } catch {
      throw .malformed
    }
    secret = StoredSecret(Secret(copying: bytes))
  }

  /// Takes a key from a set.
  fileprivate init(publicKey: PublicKey, secret: StoredSecret) {
    self.publicKey = publicKey
    self.secret = secret
  }
}

extension PrivateKey {
  /// Parses a private key from other software.
  ///
  /// Only the raw format needs `algorithm`; the others name their own.
  ///
  /// - Throws: ``PrivateKeyError``.
  package init(
    parsing bytes: Span<UInt8>, as format: KeyFormat, algorithm: KeyAlgorithm
  ) throws(PrivateKeyError) {
    switch format {
    case .raw: try self.init(raw: bytes, algorithm: algorithm)
    case .pem: try self.init(pem: bytes)
    case .jwk: try self.init(jwk: bytes)
    }
  }

  /// Parses unencrypted PKCS#8 in PEM.
  ///
  /// Certificates and parameters in the same text are ignored.
  ///
  /// - Throws: ``PrivateKeyError``.
  package init(pem text: Span<UInt8>) throws(PrivateKeyError) {
    let key: PEM.PrivateKey
    do throws(PEMError) {
      key = try PEM.PrivateKey(text, among: KeyAlgorithm.allCases.compactMap(\.pair))
    } catch {
      throw PrivateKeyError(error)
    }
    let algorithm = KeyAlgorithm.allCases.first {
      $0.pair?.pkcs8 != nil && $0.pair?.pkcs8 == key.kind.pkcs8
    }
    guard let algorithm else {
      throw .unsupported
    }
    try self.init(raw: key.secret.exposedBytes, algorithm: algorithm)
  }

  /// Parses a private JWK, from this package or from other software.
  ///
  /// `kty`, `crv`, `x`, `d` and, for P-256, `y` are required, or, for X-Wing, `kty`, `alg`, `pub` and `priv`. `use` and
  /// `alg` are otherwise optional, but must fit if they are present: a key serves one purpose. Other members are ignored.
  ///
  /// - Throws: ``PrivateKeyError/jwk(_:)``, ``PrivateKeyError/notPrivate``, ``PrivateKeyError/mismatch``,
  ///   ``PrivateKeyError/notOneKey``, ``PrivateKeyError/unavailable(_:)``.
  package init(jwk text: Span<UInt8>) throws(PrivateKeyError) {
    var reader = KeySetReader(text, isPrivate: true, ignoresUnknown: true)
    let pair: (PublicKey, StoredSecret)
    do throws(KeySetError) {
      pair = try reader.readKey().keyPair()
    } catch {
      switch error {
      case .missingPrivateKey: throw .notPrivate
      case .keyMismatch: throw .mismatch
      case .unavailable(let suite): throw .unavailable(suite)
      case .unknownMember(nil, _): throw .notOneKey
      default: throw .jwk(error)
      }
    }
    self.init(publicKey: pair.0, secret: pair.1)
  }
}

extension PrivateKeyError {
  /// Maps a PEM error.
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
  package var customMirror: Mirror { Mirror(self, children: ["publicKey": publicKey]) }
}

extension KeySet {
  /// Makes a set of one imported key, active and issued at `now`, and a new next key for a sender.
  package init(importing key: PrivateKey, at now: UnixTime) {
    var keys = [StoredKey(importing: key, at: now)]
    if key.algorithm == .ed25519 {
      keys.append(StoredKey(signingFrom: now, as: .next, random: SystemRandom()))
    }
    guard let set = try? KeySet(keys: keys) else {
      preconditionFailure("an active key and a random one are a set")
    }
    self = set
  }

  /// Returns a private key for export; nil if the set has no such key, or it is a shared key or in hardware.
  package func privateKey(for id: Thumbprint) -> PrivateKey? {
    guard let key = keys.first(where: { $0.record.id == id }), let secret = key.material.secret else {
      return nil
    }
    return key.record.publicKey.map { PrivateKey(publicKey: $0, secret: secret) }
  }
}

extension StoredKey {
  /// Imports a key, active and issued at `now`.
  init(importing key: PrivateKey, at now: UnixTime) {
    self.init(
      record: KeyRecord(publicKey: key.publicKey, life: KeyLife(issuedAt: now, status: .active)),
      material: .secret(key.secret))
  }
}

/// Why a private key from other software cannot be read.
package enum PrivateKeyError: Error, Equatable, Sendable {
  /// The input is not in the given format, or not a valid private key.
  case malformed
  /// The key is encrypted with a password.
  case encrypted
  /// The input is a public key.
  case notPrivate
  /// The kind of key is not supported.
  case unsupported
  /// The input is a PEM private key, but not PKCS#8.
  case notPKCS8
  /// The input is a JWK Set, or PEM with several private keys; exactly one key is needed.
  case notOneKey
  /// The public key does not belong to the private key.
  case mismatch
  /// This system's libraries do not have the key's suite, so its public half cannot be computed.
  case unavailable(Suite)
  /// The JWK is invalid, for the given reason, in which the key's index is 0.
  case jwk(KeySetError)
}

extension PrivateKeyError: CustomStringConvertible {
  /// What is wrong with the input.
  package var description: String { description(of: "the input") }

  /// What is wrong, with `input` as the name of the input.
  package func description(of input: String) -> String {
    switch self {
    case .malformed: "\(input) is not a private key in the expected format"
    case .encrypted: "\(input) is encrypted with a password, which sealpush does not support"
    case .notPrivate: "\(input) has a public key, but a private key is needed"
    case .unsupported: "\(input) has no X25519, P-256 or Ed25519 key"
    case .notPKCS8: "\(input) has no PKCS#8 key"
    case .notOneKey: "\(input) is a set or has several private keys, but exactly one key is needed"
    case .mismatch: "\(input): its public half does not match"
    case .unavailable(let suite): "\(input): \(suite.unavailability)"
    case .jwk(let error): "\(input): \(error.reason)"
    }
  }
}

/// A format for exchanging a single key with other software.
package enum KeyFormat: String, Sendable, CaseIterable {
  /// A JWK (RFC 7517, 8037).
  case jwk

  /// PEM: PKCS#8 for a private key, SubjectPublicKeyInfo for a public key (RFC 7468, 8410, 5480).
  case pem

  /// Raw bytes: 32 for a private key; for a public key 32, 65 for P-256, 1216 for X-Wing.
  case raw
}

extension PublicKey {
  /// Encodes the key for other software.
  ///
  /// Text formats end with a line break.
  ///
  /// A JWK has the required members of RFC 7638, and `kid`, `use` and `alg`. Returns nil if the format has no such keys:
  /// PEM has none of X-Wing.
  package func encoded(as format: KeyFormat) -> [UInt8]? {
    switch format {
    case .raw: bytes
    case .pem: PEM.publicKey(bytes.span, kind: pair)
    case .jwk: KeySetWriter.encode(self, secret: nil)
    }
  }
}

extension PrivateKey {
  /// Calls `body` with the key encoded for other software, and wipes the bytes afterwards.
  ///
  /// The bytes are the secret itself. `body` must wipe any copy it makes. Returns nil, and does not call it, if the format
  /// has no such keys: PEM has none of X-Wing.
  package func withEncodedBytes<Result, Failure: Error>(
    as format: KeyFormat, _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    guard var bytes = encoded(as: format) else { return nil }
    defer { bytes.wipe() }
    return try body(bytes.span)
  }

  /// The encoded key, in an array that the caller must wipe; nil if the format does not support the algorithm.
  private func encoded(as format: KeyFormat) -> [UInt8]? {
    let pair = publicKey.pair
    let point = publicKey.bytes
    return switch format {
    case .raw: secret.withExposedBytes { [UInt8](copying: $0) }
    case .pem: secret.withExposedBytes { PEM.privateKey($0, publicKey: point.span, kind: pair) }
    case .jwk: KeySetWriter.encode(publicKey, secret: secret)
    }
  }
}

extension PublicKey {
  /// The kind of key pair, which every public key has.
  fileprivate var pair: any KeyKind {
    guard let pair = algorithm.pair else { preconditionFailure("a public key is half of a pair") }
    return pair
  }
}

/// A buffer for a private key from other software, wiped when it is destroyed.
package struct PrivateKeyInput: ~Copyable {
  /// The maximum input size, in bytes.
  package static let maximumSize = PEM.maximumSize

  private let memory: Secret
  private let count: Int

  /// Reads an input to its end: calls `read` with the buffer and the offset of its free part until it returns 0.
  ///
  /// Nil if `read` returns a negative number, or if the input is too large.
  package init?(read: (inout MutableSpan<UInt8>, Int) -> Int) {
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
    as format: KeyFormat, algorithm: KeyAlgorithm
  ) throws(PrivateKeyError) -> PrivateKey {
    try PrivateKey(parsing: memory.exposedBytes.extracting(0..<count), as: format, algorithm: algorithm)
  }
}
