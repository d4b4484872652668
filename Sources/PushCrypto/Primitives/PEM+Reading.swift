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
    let privateKey = bytes.extracting(key.privateKey)
    if let range = key.publicKey {
      guard let publicKey = try? kind.publicKey(of: privateKey),
        ConstantTime.equal(publicKey.span, bytes.extracting(range))
      else { throw .mismatch }
    }
    return Secret(copying: privateKey)
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
