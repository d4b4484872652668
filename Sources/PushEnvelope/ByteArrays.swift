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
