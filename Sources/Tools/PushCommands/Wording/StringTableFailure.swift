import PushReceiver

/// What is wrong with a file of localized texts, as a message.
enum StringTableFailure {
  static func describe(_ error: StringTableError, at path: String) -> ToolError {
    let line = error.line.map { ", line \($0)" } ?? ""
    return ToolError(.badData, "\(path)\(line): \(error.reason)", hint: remedy(for: error, at: path))
  }

  private static func remedy(for error: StringTableError, at path: String) -> String? {
    switch error {
    case .unexpectedCharacter: "the name of a String Catalog must end in .xcstrings"
    case .invalidEscape: #"write \U00e9 for a character by its number"#
    case .xmlPropertyList: "plutil -convert binary1 \(ShellWord.quoted(path)) converts it"
    default: nil
    }
  }
}
