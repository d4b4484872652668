// What takes a span takes an array too: before iOS 26 and macOS 26, an app's arrays have no `span`.

extension StringTable {
  /// Reads a `.strings` file in an array, as in a span.
  ///
  /// - Throws: ``StringTableError``.
  public init(strings file: [UInt8]) throws(StringTableError) { try self.init(strings: file.span) }

  /// Reads a `.xcstrings` catalog in an array, as in a span.
  ///
  /// - Throws: ``StringTableError``.
  public init(catalog file: [UInt8], languages: [String]) throws(StringTableError) {
    try self.init(catalog: file.span, languages: languages)
  }
}

extension DiagnosticsRecord {
  /// Reads an array's bytes, as a span's.
  ///
  /// - Throws: ``DiagnosticsLogError``.
  public init(parsing bytes: [UInt8]) throws(DiagnosticsLogError) { try self.init(parsing: bytes.span) }
}
