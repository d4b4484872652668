// Overloads that take an array in place of a span: before iOS 26 and macOS 26, arrays have no `span`.

extension StringTable {
  /// Reads a `.strings` file from an array.
  ///
  /// - Throws: ``StringTableError``.
  public init(strings file: some Sequence<UInt8>) throws(StringTableError) {
    try self.init(strings: Array(file).span)
  }

  /// Reads a `.xcstrings` catalog from an array.
  ///
  /// - Throws: ``StringTableError``.
  public init(catalog file: some Sequence<UInt8>, languages: [String]) throws(StringTableError) {
    try self.init(catalog: Array(file).span, languages: languages)
  }
}

extension DiagnosticsRecord {
  /// Reads a log from an array.
  ///
  /// - Throws: ``ReceiverFileError``.
  public init(parsing bytes: some Sequence<UInt8>) throws(ReceiverFileError) {
    try self.init(parsing: Array(bytes).span)
  }
}
