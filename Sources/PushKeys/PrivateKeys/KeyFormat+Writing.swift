internal import PushCrypto

extension PublicKey {
  /// The key for other programs, text with a line break at its end.
  ///
  /// A JWK has the members that RFC 7638 needs, and `kid`, `use` and `alg`.
  public func encoded(as format: KeyFormat) -> [UInt8] {
    switch format {
    case .raw: bytes
    case .pem: PEM.publicKey(bytes.span, curve.pemKind)
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
    let kind = publicKey.curve.pemKind
    let point = publicKey.bytes
    return switch format {
    case .raw: secret.withExposedBytes { [UInt8](copying: $0) }
    case .pem: secret.withExposedBytes { PEM.privateKey($0, point.span, kind) }
    case .jwk: KeySetWriter.encode(publicKey, secret)
    }
  }
}

extension Curve {
  /// What PEM calls a key on it.
  var pemKind: PEM.Kind {
    switch self {
    case .x25519: .x25519
    case .p256: .p256
    case .ed25519: .ed25519
    }
  }
}
