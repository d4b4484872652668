// Overloads that take a collection instead of a span: before iOS 26 and macOS 26, an app's arrays have no `span`.

extension Base64URL {
  /// Encodes bytes of any collection, such as `Data`; otherwise the same as with a span.
  public static func encode(_ bytes: some Sequence<UInt8>) -> String { encode(Array(bytes).span) }
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
  /// Parses bytes of any collection, such as `Data`; otherwise the same as with a span.
  ///
  /// - Throws: ``JSONError``.
  public init(parsing bytes: some Sequence<UInt8>, maximumDepth: Int = 32) throws(JSONError) {
    try self.init(parsing: Array(bytes).span, maximumDepth: maximumDepth)
  }
}

extension JSONValue {
  /// Parses bytes of any collection, such as `Data`; otherwise the same as with a span.
  ///
  /// - Throws: ``JSONError``.
  public init(parsing bytes: some Sequence<UInt8>, maximumDepth: Int = 32) throws(JSONError) {
    try self.init(parsing: Array(bytes).span, maximumDepth: maximumDepth)
  }
}

extension JSONError {
  /// The line and column of the first invalid byte in the array that was parsed.
  package func position(in text: [UInt8]) -> JSONPosition { position(in: text.span) }
}

extension RemoteNotification {
  /// Parses bytes of any collection, such as `Data`; otherwise the same as with a span.
  ///
  /// - Throws: ``PayloadError``.
  public init(parsing bytes: some Sequence<UInt8>) throws(PayloadError) {
    try self.init(parsing: Array(bytes).span)
  }
}
