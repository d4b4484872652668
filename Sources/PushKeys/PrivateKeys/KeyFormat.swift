internal import PushCrypto

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
