// What takes a span takes an array too: before iOS 26 and macOS 26, an app's arrays have no `span`.

extension BlobOpener {
  /// Takes the next bytes in an array, as in a span.
  ///
  /// - Throws: ``AttachmentError``.
  public mutating func append(_ bytes: [UInt8], to sink: Sink) throws(AttachmentError) {
    try append(bytes.span, to: sink)
  }
}

extension BlobSealer {
  /// Takes the next bytes in an array, as in a span.
  ///
  /// - Throws: ``AttachmentError``.
  public mutating func append(_ bytes: [UInt8], to sink: Sink) throws(AttachmentError) {
    try append(bytes.span, to: sink)
  }
}
