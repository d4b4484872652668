// Array overloads of functions that take a span: before iOS 26 and macOS 26, an app's arrays have no `span`.

extension Base64URL {
  /// Encodes the bytes of an array.
  public static func encode(_ bytes: [UInt8]) -> String { encode(bytes.span) }
}

extension SealedContent {
  /// Decodes the bytes of an array.
  ///
  /// - Throws: ``SealedContentError``.
  public init(decoding plaintext: [UInt8]) throws(SealedContentError) {
    try self.init(decoding: plaintext.span)
  }
}

extension JSONObject {
  /// Parses the bytes of an array.
  ///
  /// - Throws: ``JSONError``.
  public init(parsing bytes: [UInt8], maximumDepth: Int = 32) throws(JSONError) {
    try self.init(parsing: bytes.span, maximumDepth: maximumDepth)
  }
}

extension JSONValue {
  /// Parses the bytes of an array.
  ///
  /// - Throws: ``JSONError``.
  public init(parsing bytes: [UInt8], maximumDepth: Int = 32) throws(JSONError) {
    try self.init(parsing: bytes.span, maximumDepth: maximumDepth)
  }
}

extension JSONError {
  /// The line and the column of the first invalid byte in an array.
  public func position(in text: [UInt8]) -> JSONPosition { position(in: text.span) }
}

extension RemoteNotification {
  /// Parses the bytes of an array.
  ///
  /// - Throws: ``PayloadError``.
  public init(parsing bytes: [UInt8]) throws(PayloadError) { try self.init(parsing: bytes.span) }
}
