// What takes a span takes an array too: before iOS 26 and macOS 26, an app's arrays have no `span`.

extension KeySet {
  /// Parses an array's bytes, as a span's; the caller wipes them.
  ///
  /// - Throws: ``KeySetError``.
  public init(parsing file: [UInt8]) throws(KeySetError) { try self.init(parsing: file.span) }
}

extension PublicKeySet {
  /// Parses an array's bytes, as a span's.
  ///
  /// - Throws: ``KeySetError``.
  public init(parsing text: [UInt8]) throws(KeySetError) { try self.init(parsing: text.span) }
}

extension PrivateKey {
  /// Reads a raw key from an array, as from a span; the caller wipes it.
  ///
  /// - Throws: ``PrivateKeyError``.
  package init(raw bytes: [UInt8], algorithm: KeyAlgorithm) throws(PrivateKeyError) {
    try self.init(raw: bytes.span, algorithm: algorithm)
  }

  /// Reads a key from an array, as from a span; the caller wipes it.
  ///
  /// - Throws: ``PrivateKeyError``.
  package init(
    parsing bytes: [UInt8], as format: KeyFormat, algorithm: KeyAlgorithm
  ) throws(PrivateKeyError) {
    try self.init(parsing: bytes.span, as: format, algorithm: algorithm)
  }

  /// Reads PEM from an array, as from a span; the caller wipes it.
  ///
  /// - Throws: ``PrivateKeyError``.
  package init(pem text: [UInt8]) throws(PrivateKeyError) { try self.init(pem: text.span) }

  /// Reads a JWK from an array, as from a span; the caller wipes it.
  ///
  /// - Throws: ``PrivateKeyError``.
  package init(jwk text: [UInt8]) throws(PrivateKeyError) { try self.init(jwk: text.span) }
}

extension Passphrase {
  /// Copies an array's bytes, as a span's; nil unless there are 1 to 1024 of them.
  ///
  /// The caller must wipe its own copy.
  public init?(copying bytes: [UInt8]) { self.init(copying: bytes.span) }
}
