import PushReceiver

/// What is wrong with a file of localized texts, as a message.
enum StringTableFailure {
  static func describe(_ error: StringTableError, _ path: String) -> ToolError {
    let line = error.line.map { ", line \($0)" } ?? ""
    return ToolError(.badData, "\(path)\(line): \(explanation(of: error))", hint: remedy(for: error, path))
  }

  private static func explanation(of error: StringTableError) -> String {
    switch error {
    case .tooLarge: "it has more than \(StringTable.maximumSize) bytes"
    case .tooManyEntries: "it has more than \(StringTable.maximumCount) entries"
    case .invalidText: "this is neither UTF-8 nor UTF-16"
    case .unexpectedCharacter: "this is not an entry of a .strings file"
    case .unexpectedEnd: "what begins here has no end"
    case .missingSemicolon: "a semicolon is missing after the text"
    case .invalidEscape: "the backslash does not begin a valid escape"
    case .xmlPropertyList: "it is an XML property list, which sealpush does not read"
    case .malformedBinaryPropertyList: "it is not a property list that has only texts"
    case .json(let reason, _): "not strict JSON: \(reason.rawValue)"
    case .unsupportedVersion: "it is not a String Catalog of version 1"
    case .malformedCatalog: "it is not a String Catalog: 'sourceLanguage' or 'strings' is missing or wrong"
    case .malformedEntry(let key): "the entry '\(shortened(key))' is malformed"
    }
  }

  private static func remedy(for error: StringTableError, _ path: String) -> String? {
    switch error {
    case .unexpectedCharacter: "the name of a String Catalog must end in .xcstrings"
    case .invalidEscape: #"write \U00e9 for a character by its number"#
    case .xmlPropertyList: "plutil -convert binary1 \(ShellWord.quoted(path)) converts it"
    default: nil
    }
  }

  /// The beginning of a key, which may be as long as its file.
  private static func shortened(_ key: String) -> String {
    String(String.UnicodeScalarView(key.unicodeScalars.prefix(60)))
  }
}

extension StringTableError {
  fileprivate var line: Int? {
    switch self {
    case .invalidText(let line), .unexpectedCharacter(let line), .unexpectedEnd(let line),
      .missingSemicolon(let line), .invalidEscape(let line), .json(_, let line):
      line
    case .tooLarge, .tooManyEntries, .xmlPropertyList, .malformedBinaryPropertyList, .unsupportedVersion,
      .malformedCatalog, .malformedEntry:
      nil
    }
  }
}
