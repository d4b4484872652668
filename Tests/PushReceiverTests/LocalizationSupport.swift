import PushReceiver

extension StringTable {
  /// A table of a `.strings` file's text, in UTF-8.
  init(_ text: String) throws(StringTableError) {
    try self.init(bytes: Array(text.utf8))
  }

  /// A table of a `.strings` file.
  init(bytes: [UInt8]) throws(StringTableError) {
    try self.init(strings: bytes.span)
  }

  /// A table of a catalog.
  init(catalog text: String, _ languages: String...) throws(StringTableError) {
    let bytes = Array(text.utf8)
    try self.init(catalog: bytes.span, languages: languages)
  }

  /// The text of a `.strings` file with these texts and nothing else.
  static func file(_ texts: [String: String]) -> String {
    texts.map { "\(quoted($0)) = \(quoted($1));\n" }.joined()
  }

  private static func quoted(_ text: String) -> String {
    "\"" + text.utf16.map { "\\U" + String($0, radix: 16).leftPadded }.joined() + "\""
  }
}

extension String {
  fileprivate var leftPadded: String { String(repeating: "0", count: 4 - count) + self }

  /// The text in UTF-16.
  func utf16Bytes(isBigEndian: Bool) -> [UInt8] {
    utf16.flatMap { unit in
      let bytes = [UInt8(unit >> 8), UInt8(unit & 0xFF)]
      return isBigEndian ? bytes : bytes.reversed()
    }
  }
}
