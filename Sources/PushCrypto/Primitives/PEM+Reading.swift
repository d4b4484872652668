/// Read here, because OpenSSL frees a key's bytes without wiping them, and CryptoKit knows P-256's keys alone.
extension PEM {
  /// Reads the one private key; what is made of its bytes meanwhile is wiped.
  static func readPrivateKey(_ text: Span<UInt8>) throws(PEMError) -> PEM.PrivateKey {
    let blocks = PEMBlock.all(in: text)
    guard !blocks.isEmpty else { throw .malformed }
    let block = try thePrivateOne(of: blocks)
    guard !block.isEncrypted else { throw .encrypted }
    guard block.name == "PRIVATE KEY" else { throw .notPKCS8 }
    let contents = block.contents
    guard let key = PKCS8(contents.exposedBytes) else { throw .malformed }
    guard let kind = key.kind else { throw .unsupported }
    return PEM.PrivateKey(kind: kind, secret: try secret(key, kind, of: contents.exposedBytes))
  }

  private static func thePrivateOne(of blocks: [PEMBlock]) throws(PEMError) -> PEMBlock {
    let privateBlocks = blocks.filter(\.isPrivateKey)
    guard let block = privateBlocks.first else { throw .notPrivate }
    guard privateBlocks.count == 1 else { throw .notOneKey }
    return block
  }

  /// The private key, unless another public key stands beside it.
  private static func secret(
    _ key: PKCS8, _ kind: PEM.Kind, of bytes: Span<UInt8>
  ) throws(PEMError) -> Secret {
    let digits = bytes.extracting(key.privateKey)
    let privateKey = padded(digits)
    for range in key.publicKeys { try check(bytes.extracting(range), kind, privateKey.exposedBytes) }
    return padded(digits)
  }

  /// A key in its full length, of which zeros at the start may have been left out.
  private static func padded(_ digits: Span<UInt8>) -> Secret {
    Secret(count: size) { bytes in
      for index in digits.indices { bytes[size - digits.count + index] = digits[index] }
    }
  }

  /// The length of each kind's private key, in bytes.
  private static let size = 32

  /// Compares the public key that stands beside a private one with its own.
  private static func check(
    _ written: Span<UInt8>, _ kind: PEM.Kind, _ privateKey: Span<UInt8>
  ) throws(PEMError) {
    guard var publicKey = try? kind.publicKey(of: privateKey) else { throw .mismatch }
    let coordinateSize = size
    if kind == .p256, written.count == 1 + coordinateSize {
      // A compressed point has the parity of y, and x.
      publicKey = [2 | publicKey[publicKey.count - 1] & 1] + publicKey[1...coordinateSize]
    }
    guard written.count == publicKey.count, written.count < P256.publicKeySize || written[0] == 4 else {
      throw .malformed
    }
    guard ConstantTime.equal(publicKey.span, written) else { throw .mismatch }
  }
}

extension PEM.Kind {
  fileprivate func publicKey(of privateKey: Span<UInt8>) throws(CryptoError) -> [UInt8] {
    switch self {
    case .x25519: try X25519.publicKey(of: privateKey)
    case .p256: try P256.publicKey(of: privateKey)
    case .ed25519: try Ed25519.publicKey(of: privateKey)
    }
  }
}
