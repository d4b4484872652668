// Array overloads of functions that take a span: before iOS 26 and macOS 26, an app's arrays have no `span`.

extension KeySet {
  /// Parses a private JWK Set in an array, which the caller wipes.
  ///
  /// - Throws: ``KeySetError``.
  public init(parsing file: [UInt8]) throws(KeySetError) { try self.init(parsing: file.span) }
}

extension PublicKeySet {
  /// Parses a public JWK Set in an array.
  ///
  /// - Throws: ``KeySetError``.
  public init(parsing text: some Sequence<UInt8>) throws(KeySetError) {
    try self.init(parsing: Array(text).span)
  }
}

extension PrivateKey {
  /// Reads a raw key from an array, which the caller wipes.
  ///
  /// - Throws: ``PrivateKeyError``.
  package init(raw bytes: [UInt8], algorithm: KeyAlgorithm) throws(PrivateKeyError) {
    try self.init(raw: bytes.span, algorithm: algorithm)
  }

  /// Parses a private key in an array, which the caller wipes.
  ///
  /// - Throws: ``PrivateKeyError``.
  package init(
    parsing bytes: [UInt8], as format: KeyFormat, algorithm: KeyAlgorithm
  ) throws(PrivateKeyError) {
    try self.init(parsing: bytes.span, as: format, algorithm: algorithm)
  }

  /// Parses PEM in an array, which the caller wipes.
  ///
  /// - Throws: ``PrivateKeyError``.
  package init(pem text: [UInt8]) throws(PrivateKeyError) { try self.init(pem: text.span) }

  /// Parses a JWK in an array, which the caller wipes.
  ///
  /// - Throws: ``PrivateKeyError``.
  package init(jwk text: [UInt8]) throws(PrivateKeyError) { try self.init(jwk: text.span) }
}

extension Passphrase {
  /// Copies a passphrase of 1 to 1024 bytes from an array; nil for any other size.
  ///
  /// The caller must wipe its own copy.
  public init?(copying bytes: [UInt8]) { self.init(copying: bytes.span) }
}
