public import PushEnvelope

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
  public init(raw bytes: [UInt8], algorithm: KeyAlgorithm) throws(PrivateKeyError) {
    try self.init(raw: bytes.span, algorithm: algorithm)
  }

  /// Reads a key from an array, as from a span; the caller wipes it.
  ///
  /// - Throws: ``PrivateKeyError``.
  public init(
    parsing bytes: [UInt8], as format: KeyFormat, algorithm: KeyAlgorithm
  ) throws(PrivateKeyError) {
    try self.init(parsing: bytes.span, as: format, algorithm: algorithm)
  }

  /// Reads PEM from an array, as from a span; the caller wipes it.
  ///
  /// - Throws: ``PrivateKeyError``.
  public init(pem text: [UInt8]) throws(PrivateKeyError) { try self.init(pem: text.span) }

  /// Reads a JWK from an array, as from a span; the caller wipes it.
  ///
  /// - Throws: ``PrivateKeyError``.
  public init(jwk text: [UInt8]) throws(PrivateKeyError) { try self.init(jwk: text.span) }
}

extension Passphrase {
  /// Copies an array's bytes, as a span's; nil unless there are 1 to 1024 of them.
  ///
  /// The caller must wipe its own copy.
  public init?(copying bytes: [UInt8]) { self.init(copying: bytes.span) }
}

extension Enrolment {
  /// Reads an array's bytes, as a span's.
  ///
  /// - Throws: ``SignedSetError``.
  public init(
    parsing json: [UInt8], for topic: Topic? = nil, audience: Audience, challenge: Challenge? = nil
  ) throws(SignedSetError) {
    try self.init(parsing: json.span, for: topic, audience: audience, challenge: challenge)
  }
}

extension ProofRequest {
  /// Reads an array's bytes, as a span's.
  ///
  /// - Throws: `ValueError`.
  public init(parsing content: [UInt8]) throws(ValueError) { try self.init(parsing: content.span) }
}

extension Registration {
  /// Reads an array's bytes, as a span's.
  ///
  /// - Throws: ``SignedSetError``.
  public init(parsing line: [UInt8]) throws(SignedSetError) { try self.init(parsing: line.span) }
}

extension SenderKeySet {
  /// Reads an array's bytes, as a span's.
  ///
  /// - Throws: ``SignedSetError``.
  public init(parsing text: [UInt8], roots: PublicKeySet, topic: Topic) throws(SignedSetError) {
    try self.init(parsing: text.span, roots: roots, topic: topic)
  }
}

extension SenderKeyFile {
  /// Accepts a set in an array's bytes, as in a span's.
  ///
  /// - Throws: ``SenderKeyFileError``.
  @discardableResult
  public func accept(_ text: [UInt8]) throws(SenderKeyFileError) -> Change { try accept(text.span) }
}
