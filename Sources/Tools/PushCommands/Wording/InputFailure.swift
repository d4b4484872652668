import PushFiles
import PushKeys
import PushCore
import PushSealer

/// Why a file cannot be read, as a message.
enum FileFailure {
  /// The error for a file, or standard input, that could not be read.
  static func reading(_ error: FileError, from name: String) -> ToolError {
    switch error {
    case .tooLarge:
      ToolError(.badData, "\(name) is longer than \(FileInput.maximumSize) bytes, too long for a payload")
    case .notPermitted: ToolError(.noPermission, "cannot read \(name): \(error)")
    default: ToolError(.noInput, "cannot read \(name): \(error)")
    }
  }
}

/// What is wrong with JSON, as a message.
enum JSONFailure {
  /// The error in bytes that were parsed, after a name and "is".
  static func describe(_ error: JSONError, in text: [UInt8]) -> String {
    "not strict JSON: \(error.reason.rawValue) at \(error.position(in: text))"
  }

  /// The error in a text of one line, whose number the message already has.
  static func describe(_ error: JSONError, inLine text: [UInt8]) -> String {
    "not strict JSON: \(error.reason.rawValue) at column \(error.position(in: text).column)"
  }
}

/// What is wrong with a file of recipients, as a message.
enum RecipientFileFailure {
  static func describe(_ error: RecipientFileError) -> ToolError {
    switch error {
    case .unreadable: ToolError(.noInput, "\(error)")
    case .line: ToolError(.badData, "\(error)")
    }
  }
}

/// What is wrong with a private key of another program, as a message.
enum PrivateKeyFailure {
  static func describe(_ error: PrivateKeyError, at path: String, as format: KeyFormat) -> ToolError {
    guard error != .malformed else {
      return ToolError(.badData, "\(path) is not a private key in the format \(format.rawValue)")
    }
    if case .unavailable = error {
      return ToolError(.failed, error.description(of: path), hint: SuiteText.hint)
    }
    return ToolError(.badData, error.description(of: path), hint: remedy(for: error, at: path))
  }

  private static func remedy(for error: PrivateKeyError, at path: String) -> String? {
    switch error {
    case .encrypted: "openssl pkey -in \(ShellWord.quoted(path)) decrypts it; keep its output secret"
    case .notPKCS8: "openssl pkey -in \(ShellWord.quoted(path)) writes PKCS#8"
    case .notOneKey: "from a key file: sealpush keys export --format jwk --private --kid=NAME"
    case .malformed, .notPrivate, .unsupported, .mismatch, .unavailable, .jwk: nil
    }
  }
}
