/// Keys in PEM (RFC 7468), as other programs read and write them.
package enum PEM {
  /// What a key is of.
  package enum Kind: Sendable, CaseIterable {
    /// X25519 (RFC 8410).
    case x25519
    /// The curve P-256 (RFC 5480, 5915), public keys as uncompressed points.
    case p256
    /// Ed25519 (RFC 8410).
    case ed25519
  }

  /// A private key that was read: 32 bytes, which were not judged yet.
  package struct PrivateKey: ~Copyable {
    /// What it is of.
    package let kind: Kind

    /// The scalar in big endian, or the seed; X25519's as it is.
    package let secret: Secret

    /// Reads the one PKCS#8 key (RFC 5958), `PRIVATE KEY`, that is under no password.
    ///
    /// - Throws: ``PEMError``.
    package init(_ text: Span<UInt8>) throws(PEMError) {
      guard text.count <= PEM.maximumSize else { throw .malformed }
      self = try PEM.readPrivateKey(text)
    }

    /// Puts together what was read.
    init(kind: Kind, secret: consuming Secret) {
      self.kind = kind
      self.secret = secret
    }
  }

  /// The most that is read, in bytes: more than any key with the certificates beside it.
  package static let maximumSize = 16 << 10
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
