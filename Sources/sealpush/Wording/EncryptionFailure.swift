import PushKeys

/// What is wrong with an encrypted key file, in the operator's words.
enum EncryptionFailure {
  /// Where a passphrase can come from without a terminal.
  static let sources = "--passphrase-file FILE or --passphrase-fd N says where it is"

  static func describe(_ error: KeyFileError, _ path: String) -> ToolError {
    switch error {
    case .passphraseNeeded:
      ToolError(
        .noPermission, "\(path) is encrypted, and there is no terminal to ask for its passphrase",
        hint: sources)
    case .notEncrypted:
      ToolError(
        .badData, "\(path) is not encrypted, and a passphrase was given",
        hint: "is it the right file, and not an older one? keys passphrase encrypts it")
    case .wrongPassphrase: ToolError(.noPermission, "that is not the passphrase of \(path)")
    case .damaged:
      ToolError(.badData, "\(path) is damaged: it is not as it was written", hint: "put a copy in its place")
    case .unreasonableParameters:
      ToolError(
        .badData, "\(path) asks for more memory or time than any key file that was made here",
        hint: "somebody changed it; put a copy in its place")
    case .encryptionUnavailable:
      ToolError(.failed, "this system's library cannot encrypt or decrypt \(path)")
    default:
      ToolError(
        .failed, "there is not the memory that the passphrase of \(path) needs",
        hint: "a file that was made here needs 256 MiB")
    }
  }
}
