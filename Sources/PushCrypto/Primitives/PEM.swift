/// Keys in PEM (RFC 7468), as other programs read and write them.
///
/// PEM is read here, because OpenSSL frees a key's bytes without wiping them, and CryptoKit knows P-256's keys alone.
package enum PEM {
  /// The most that is read, in bytes: more than any key with the certificates beside it.
  package static let maximumSize = 16 << 10

  /// A private key that was read.
  package struct PrivateKey: ~Copyable {
    /// Its kind.
    package let kind: any KeyKind

    /// The serialized private key, which was not checked yet: P-256's scalar in big endian, Ed25519's seed.
    package let secret: Secret

    /// Reads the one PKCS#8 key (RFC 5958), `PRIVATE KEY`, that is under no password and of one of these kinds.
    ///
    /// - Throws: ``PEMError``.
    package init(_ text: Span<UInt8>, among kinds: [any KeyKind]) throws(PEMError) {
      guard text.count <= PEM.maximumSize else { throw .malformed }
      let block = try Self.privateBlock(of: PEMBlock.all(in: text))
      let contents = block.contents
      guard let key = PKCS8(contents.exposedBytes, among: kinds) else { throw .malformed }
      guard let kind = key.kind else { throw .unsupported }
      let digits = contents.exposedBytes.extracting(key.privateKey)
      let secret = Self.padded(digits, to: kind.privateKeySize)
      try Self.check(secret, key, kind, contents.exposedBytes)
      self.init(kind, secret)
    }

    private init(_ kind: any KeyKind, _ secret: consuming Secret) {
      self.kind = kind
      self.secret = secret
    }

    private static func privateBlock(of blocks: [PEMBlock]) throws(PEMError) -> PEMBlock {
      guard !blocks.isEmpty else { throw .malformed }
      let privateBlocks = blocks.filter(\.isPrivateKey)
      guard let block = privateBlocks.first else { throw .notPrivate }
      guard privateBlocks.count == 1 else { throw .notOneKey }
      guard !block.isEncrypted else { throw .encrypted }
      guard block.name == "PRIVATE KEY" else { throw .notPKCS8 }
      return block
    }

    /// A key in its full length, of which zeros at the start may have been left out.
    private static func padded(_ digits: Span<UInt8>, to size: Int) -> Secret {
      Secret(count: size) { bytes in
        for index in digits.indices { bytes[size - digits.count + index] = digits[index] }
      }
    }

    /// Compares each public key that stands beside the private one with its own.
    private static func check(
      _ secret: borrowing Secret, _ key: PKCS8, _ kind: any KeyKind, _ bytes: Span<UInt8>
    ) throws(PEMError) {
      for range in key.publicKeys { try check(bytes.extracting(range), kind, secret.exposedBytes) }
    }

    private static func check(
      _ written: Span<UInt8>, _ kind: any KeyKind, _ privateKey: Span<UInt8>
    ) throws(PEMError) {
      guard var publicKey = try? kind.publicKey(of: privateKey) else { throw .mismatch }
      if kind.pkcs8.contents == .ecPrivateKey {
        if written.count == 1 + kind.privateKeySize {
          // A compressed point has the parity of y, and x.
          publicKey = [2 | publicKey[publicKey.count - 1] & 1] + publicKey[1...kind.privateKeySize]
        } else {
          guard written.count > 0, written[0] == 4 else { throw .malformed }
        }
      }
      guard written.count == publicKey.count else { throw .malformed }
      guard ConstantTime.equal(publicKey.span, written) else { throw .mismatch }
    }
  }

  /// A private key in PKCS#8 (RFC 5958), without a password, in an array that the caller wipes.
  ///
  /// `publicKey` is the private key's own; both were checked when the pair was made.
  package static func privateKey(
    _ privateKey: Span<UInt8>, _ publicKey: Span<UInt8>, _ kind: any KeyKind
  ) -> [UInt8] {
    var contents = kind.pkcs8.encoded(privateKey, publicKey)
    defer { contents.wipe() }
    return text(contents.span, "PRIVATE KEY")
  }

  /// A public key as a SubjectPublicKeyInfo (RFC 5280, 4.1).
  package static func publicKey(_ publicKey: Span<UInt8>, _ kind: any KeyKind) -> [UInt8] {
    text(kind.pkcs8.encoded(publicKey: publicKey).span, "PUBLIC KEY")
  }

  /// A block (RFC 7468), 64 characters a line.
  private static func text(_ contents: Span<UInt8>, _ label: String) -> [UInt8] {
    let width = 64
    var base64 = Backend.Base64.encode(contents)
    defer { base64.wipe() }
    let (begin, end) = ("-----BEGIN \(label)-----\n", "-----END \(label)-----\n")
    var text: [UInt8] = []
    text.reserveCapacity(begin.utf8.count + base64.count + base64.count / width + 1 + end.utf8.count)
    text += begin.utf8
    for start in stride(from: 0, to: base64.count, by: width) {
      text += base64[start..<min(start + width, base64.count)]
      text.append(UInt8(ascii: "\n"))
    }
    text += end.utf8
    return text
  }
}

/// Why a private key in PEM cannot be read.
package enum PEMError: Error, Equatable, Sendable {
  /// It is not PEM, or not what its first line says.
  case malformed
  /// It is under a password.
  case encrypted
  /// It has no private key, but a public one or a certificate.
  case notPrivate
  /// It is a key of another kind.
  case unsupported
  /// It is a private key in another form than PKCS#8.
  case notPKCS8
  /// It has several private keys.
  case notOneKey
  /// It says another public key than its own.
  case mismatch
}
