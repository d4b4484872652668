// Array overloads of functions that take a span: before iOS 26 and macOS 26, an app's arrays have no `span`.

extension BlobOpener {
  /// Takes the blob's next bytes from an array.
  ///
  /// - Throws: ``AttachmentError``.
  public mutating func append(_ bytes: [UInt8], to sink: Sink) throws(AttachmentError) {
    try append(bytes.span, to: sink)
  }
}

extension BlobSealer {
  /// Takes the file's next bytes from an array.
  ///
  /// - Throws: ``AttachmentError``.
  public mutating func append(_ bytes: [UInt8], to sink: Sink) throws(AttachmentError) {
    try append(bytes.span, to: sink)
  }
}
