/// Keys in PEM (RFC 7468), the format that other programs read and write.
///
/// The libraries do not read it, because OpenSSL frees a key's bytes without wiping them, and CryptoKit reads only
/// P-256 keys.
package enum PEM {
  /// The maximum input size, in bytes: more than any key with its certificates.
  package static let maximumSize = 16 << 10

  /// A private key read from PEM.
  package struct PrivateKey: ~Copyable {
    /// The kind of key.
    package let kind: any KeyKind

    /// The serialized private key, not yet checked: a P-256 scalar in big endian, or an Ed25519 seed, for example.
    package let secret: Secret

    /// Reads a text with exactly one private key: `PRIVATE KEY`, unencrypted PKCS#8 (RFC 5958), of one of `kinds`.
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
      try Self.check(secret, against: key, kind: kind, in: contents.exposedBytes)
      self.init(kind: kind, secret: secret)
    }

    private init(kind: any KeyKind, secret: consuming Secret) {
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

    /// Restores leading zeros that the writer may have omitted.
    private static func padded(_ digits: Span<UInt8>, to size: Int) -> Secret {
      Secret(count: size) { bytes in
        for index in digits.indices { bytes[size - digits.count + index] = digits[index] }
      }
    }

    /// Checks that each public key stored with the private key belongs to it.
    private static func check(
      _ secret: borrowing Secret, against key: PKCS8, kind: any KeyKind, in bytes: Span<UInt8>
    ) throws(PEMError) {
      for range in key.publicKeys {
        try check(bytes.extracting(range), kind: kind, privateKey: secret.exposedBytes)
      }
    }

    private static func check(
      _ written: Span<UInt8>, kind: any KeyKind, privateKey: Span<UInt8>
    ) throws(PEMError) {
      guard var publicKey = try? kind.publicKey(of: privateKey) else { throw .mismatch }
      if kind.pkcs8?.contents == .ecPrivateKey {
        if written.count == 1 + kind.privateKeySize {
          // A compressed point holds the parity of y, then x.
          publicKey = [2 | publicKey[publicKey.count - 1] & 1] + publicKey[1...kind.privateKeySize]
        } else {
          guard written.count > 0, written[0] == 4 else { throw .malformed }
        }
      }
      guard written.count == publicKey.count else { throw .malformed }
      guard ConstantTime.equal(publicKey.span, written) else { throw .mismatch }
    }
  }

  /// Encodes a private key in unencrypted PKCS#8 (RFC 5958), in an array that the caller wipes.
  ///
  /// `publicKey` must belong to the private key; both were checked when the pair was made. Nil if PKCS#8 has no
  /// encoding for such keys.
  package static func privateKey(
    _ privateKey: Span<UInt8>, publicKey: Span<UInt8>, kind: any KeyKind
  ) -> [UInt8]? {
    guard var contents = kind.pkcs8?.encoded(privateKey: privateKey, publicKey: publicKey) else { return nil }
    defer { contents.wipe() }
    return text(of: contents.span, label: "PRIVATE KEY")
  }

  /// Encodes a public key as a SubjectPublicKeyInfo (RFC 5280, 4.1); nil if there is no encoding for such keys.
  package static func publicKey(_ publicKey: Span<UInt8>, kind: any KeyKind) -> [UInt8]? {
    kind.pkcs8.map { text(of: $0.encoded(publicKey: publicKey).span, label: "PUBLIC KEY") }
  }

  /// Encodes a block (RFC 7468) with 64 characters per line.
  private static func text(of contents: Span<UInt8>, label: String) -> [UInt8] {
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
  /// The text is not PEM, or its contents do not match its label.
  case malformed
  /// The key is encrypted with a password.
  case encrypted
  /// The text has a public key or a certificate, but no private key.
  case notPrivate
  /// The key is of an unsupported kind.
  case unsupported
  /// The private key is not in the PKCS#8 format.
  case notPKCS8
  /// The text has several private keys.
  case notOneKey
  /// The stored public key does not belong to the private key.
  case mismatch
}
