// Overloads that take an array in place of a span: before iOS 26 and macOS 26, arrays have no `span`.

extension StringTable {
  /// Reads a `.strings` file from an array.
  ///
  /// - Throws: ``StringTableError``.
  public init(strings file: [UInt8]) throws(StringTableError) { try self.init(strings: file.span) }

  /// Reads a `.xcstrings` catalog from an array.
  ///
  /// - Throws: ``StringTableError``.
  public init(catalog file: [UInt8], languages: [String]) throws(StringTableError) {
    try self.init(catalog: file.span, languages: languages)
  }
}

extension DiagnosticsRecord {
  /// Reads a log from an array.
  ///
  /// - Throws: ``ReceiverFileError``.
  public init(parsing bytes: [UInt8]) throws(ReceiverFileError) { try self.init(parsing: bytes.span) }
}
