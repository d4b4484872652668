// What takes a span takes an array too: before iOS 26 and macOS 26, an app's arrays have no `span`.

extension Base64URL {
  /// Encodes an array's bytes, as a span's.
  public static func encode(_ bytes: [UInt8]) -> String { encode(bytes.span) }
}

extension SealedContent {
  /// Decodes an array's bytes, as a span's.
  ///
  /// - Throws: ``SealedContentError``.
  public init(decoding plaintext: [UInt8]) throws(SealedContentError) {
    try self.init(decoding: plaintext.span)
  }
}

extension JSONObject {
  /// Parses an array's bytes, as a span's.
  ///
  /// - Throws: ``JSONError``.
  public init(parsing bytes: [UInt8], maximumDepth: Int = 32) throws(JSONError) {
    try self.init(parsing: bytes.span, maximumDepth: maximumDepth)
  }
}

extension JSONValue {
  /// Parses an array's bytes, as a span's.
  ///
  /// - Throws: ``JSONError``.
  public init(parsing bytes: [UInt8], maximumDepth: Int = 32) throws(JSONError) {
    try self.init(parsing: bytes.span, maximumDepth: maximumDepth)
  }
}

extension JSONError {
  /// Where the first invalid byte is in an array of bytes.
  public func position(in text: [UInt8]) -> JSONPosition { position(in: text.span) }
}

extension RemoteNotification {
  /// Parses an array's bytes, as a span's.
  ///
  /// - Throws: ``PayloadError``.
  public init(parsing bytes: [UInt8]) throws(PayloadError) { try self.init(parsing: bytes.span) }
}
