import PushFiles
import PushKeys

/// What is wrong with a key file, in the operator's words.
enum KeyFileFailure {
  /// Where a passphrase can come from without a terminal.
  static let passphraseSources = "--passphrase-file FILE or --passphrase-fd N says where it is"

  /// A key file that was to be read or changed.
  static func describe(_ error: KeyFileError, _ path: String) -> ToolError {
    switch error {
    case .file(let error): describe(error, path)
    case .tooPermissive(let mode):
      ToolError(
        .noPermission, "\(path) can be read or written by others (mode 0\(String(mode, radix: 8)))",
        hint: "chmod 600 \(ShellWord.quoted(path))")
    case .wrongOwner: ToolError(.noPermission, "\(path) belongs to another user")
    case .passphraseNeeded:
      ToolError(
        .noPermission, "\(path) is encrypted, and there is no terminal to ask for its passphrase",
        hint: passphraseSources)
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
    case .notEnoughMemory:
      ToolError(
        .failed, "there is not the memory that the passphrase of \(path) needs",
        hint: "a file that was made here needs 256 MiB")
    case .encryptionUnavailable:
      ToolError(.failed, "this system's library cannot encrypt or decrypt \(path)")
    case .keySet(let error):
      ToolError(.badData, "\(path): \(KeySetText.describe(error))", hint: KeySetText.remedy(error, path))
    }
  }

  private static func describe(_ error: FileError, _ path: String) -> ToolError {
    switch error {
    case .missing: ToolError(.noInput, "there is no \(path)")
    case .exists: ToolError(.cannotCreate, "\(path) exists, and a key file is never replaced by a new one")
    case .notRegularFile(let kind): ToolError(.noInput, "\(path) is no regular file but a \(kind.rawValue)")
    case .folderWritableByOthers:
      ToolError(
        .noPermission, "others can put another file in the place of \(path)",
        hint: "chmod go-w \(ShellWord.folder(of: path)), or move it to a folder of your own")
    case .folderOfAnotherUser:
      ToolError(
        .noPermission, "the folder of \(path) is another user's, who can put another file in its place",
        hint: "move it to a folder of your own")
    case .notPermitted:
      ToolError(
        .noPermission, "\(path): not permitted",
        hint: "the file must be yours to read; to change keys, its folder yours to write")
    case .tooLarge: ToolError(.badData, "\(path) is larger than any key file")
    case .notDurable:
      ToolError(
        .failed, "\(path) is changed, but the disk did not confirm it",
        hint: "do not repeat the change; keys list shows it, and keys export prints the public set")
    case .busy: ToolError(.failed, "another process is changing \(path)", hint: "try again")
    case .system(let call, let errno):
      ToolError(.failed, "\(path): \(call): \(SystemMessage.text(of: errno))")
    }
  }

  /// A file that was to be made; `hint` is for one that exists.
  static func writing(_ error: KeyFileError, _ path: String, existing hint: String) -> ToolError {
    switch error {
    case .file(let error): writing(error, path, existing: hint)
    case .notEnoughMemory: describe(error, path)
    default: ToolError(.cannotCreate, "cannot create \(path)")
    }
  }

  /// The same of any file.
  static func writing(_ error: FileError, _ path: String, existing hint: String) -> ToolError {
    switch error {
    case .exists: ToolError(.cannotCreate, "\(path) exists", hint: hint)
    case .missing: ToolError(.cannotCreate, "cannot create \(path): its folder does not exist")
    case .notPermitted: ToolError(.cannotCreate, "cannot create \(path): not permitted")
    case .notRegularFile(let kind):
      ToolError(.cannotCreate, "\(path) is no regular file but a \(kind.rawValue)")
    case .system(_, let errno):
      ToolError(.cannotCreate, "cannot write \(path): \(SystemMessage.text(of: errno))")
    case .notDurable:
      ToolError(.failed, "\(path) is written, but the disk did not confirm it", hint: "write it again")
    case .folderWritableByOthers, .folderOfAnotherUser, .busy: describe(error, path)
    case .tooLarge: ToolError(.cannotCreate, "cannot create \(path)")
    }
  }
}
