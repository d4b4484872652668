// Overloads that take an array instead of a span: before iOS 26 and macOS 26, an app's arrays have no `span`.

extension Base64URL {
  /// Encodes an array of bytes; otherwise the same as with a span.
  public static func encode(_ bytes: [UInt8]) -> String { encode(bytes.span) }
}

extension SealedContent {
  /// Decodes an array of bytes; otherwise the same as with a span.
  ///
  /// - Throws: ``SealedContentError``.
  package init(decoding plaintext: [UInt8]) throws(SealedContentError) {
    try self.init(decoding: plaintext.span)
  }
}

extension JSONObject {
  /// Parses an array of bytes; otherwise the same as with a span.
  ///
  /// - Throws: ``JSONError``.
  public init(parsing bytes: [UInt8], maximumDepth: Int = 32) throws(JSONError) {
    try self.init(parsing: bytes.span, maximumDepth: maximumDepth)
  }
}

extension JSONValue {
  /// Parses an array of bytes; otherwise the same as with a span.
  ///
  /// - Throws: ``JSONError``.
  public init(parsing bytes: [UInt8], maximumDepth: Int = 32) throws(JSONError) {
    try self.init(parsing: bytes.span, maximumDepth: maximumDepth)
  }
}

extension JSONError {
  /// The line and column of the first invalid byte in the array that was parsed.
  package func position(in text: [UInt8]) -> JSONPosition { position(in: text.span) }
}

extension RemoteNotification {
  /// Parses an array of bytes; otherwise the same as with a span.
  ///
  /// - Throws: ``PayloadError``.
  public init(parsing bytes: [UInt8]) throws(PayloadError) { try self.init(parsing: bytes.span) }
}
