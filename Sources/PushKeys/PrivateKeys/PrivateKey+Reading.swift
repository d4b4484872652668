internal import PushCrypto

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
      key = try PEM.PrivateKey(text)
    } catch {
      throw PrivateKeyError(error)
    }
    try self.init(raw: key.secret.exposedBytes, key.kind.algorithm)
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

extension PEM.Kind {
  /// What keys of the kind are for here.
  fileprivate var algorithm: KeyAlgorithm {
    switch self {
    case .x25519: .x25519
    case .p256: .p256
    case .ed25519: .ed25519
    }
  }
}
