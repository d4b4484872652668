import PushFiles
import PushKeys
import PushPayload
import PushSealer

/// Why a file cannot be read, as a message.
enum FileFailure {
  /// A file, or standard input, that could not be read.
  static func reading(_ error: FileError, _ name: String) -> ToolError {
    switch error {
    case .tooLarge:
      ToolError(.badData, "\(name) is longer than \(FileInput.maximumSize) bytes, which no payload is")
    case .notPermitted: ToolError(.noPermission, "cannot read \(name): \(reason(error))")
    default: ToolError(.noInput, "cannot read \(name): \(reason(error))")
    }
  }

  /// The reason alone, to follow a colon.
  static func reason(_ error: FileError) -> String {
    switch error {
    case .missing: "no such file or folder"
    case .exists: "it exists"
    case .notRegularFile(let kind): "it is a \(kind.rawValue)"
    case .folderWritableByOthers(let folder, let mode):
      "others can write to \(folder), which has mode 0\(String(mode, radix: 8))"
    case .folderOfAnotherUser(let folder, let owner): "\(folder) is another user's (\(owner))"
    case .linkOfAnotherUser(let link, let owner): "the link \(link) is another user's (\(owner))"
    case .lockNotOwn(let name): "\(name), the lock of its folder, is not a file of yours with mode 0600"
    case .notPermitted: "permission denied"
    case .tooLarge: "it is too large"
    case .busy: "another process is using it"
    case .notDurable: "the disk did not confirm it"
    case .system(_, let errno): SystemMessage.text(of: errno)
    }
  }
}

/// What is wrong with JSON, as a message.
enum JSONFailure {
  /// The error in bytes that were parsed, after a name and "is".
  static func describe(_ error: JSONError, in text: [UInt8]) -> String {
    "not strict JSON: \(error.reason.rawValue) at \(error.position(in: text))"
  }

  /// The error in the only line of its text, whose number has been told.
  static func describe(_ error: JSONError, inLine text: [UInt8]) -> String {
    "not strict JSON: \(error.reason.rawValue) at column \(error.position(in: text).column)"
  }
}

/// What is wrong with a file of recipients, as a message.
enum RecipientFileFailure {
  static func describe(_ error: RecipientFileError, _ path: String) -> ToolError {
    switch error {
    case .unreadable(let errno):
      ToolError(.noInput, "cannot read \(path): \(SystemMessage.text(of: errno))")
    case .line(let number, let fault):
      ToolError(.badData, "\(path), line \(number): \(describe(fault))")
    }
  }

  private static func describe(_ fault: RecipientFileError.Fault) -> String {
    switch fault {
    case .tooLong: "longer than \(RecipientFile.maximumLineSize) bytes"
    case .json(let error, let column): "not strict JSON: \(error.reason.rawValue) at column \(column)"
    case .unsupportedVersion: "written by a newer version"
    case .invalidMember(let name): "'\(name)' is missing or wrong"
    case .unknownMember(let name): "'\(name)' is unknown"
    case .keys(let error): "its keys: \(KeySetText.describe(error))"
    case .mixed: "registrations and unsigned enrolments cannot share a file"
    case .registration(let error): "\(error.code): \(SignedSetText.describe(error))"
    case .duplicateName(let line): "its registration's name is also in line \(line)"
    case .duplicateToken(let line): "its token is also in line \(line)"
    case .duplicateKey(let line): "one of its keys is also in line \(line)"
    }
  }
}

/// What is wrong with a private key of another program, as a message.
enum PrivateKeyFailure {
  static func describe(_ error: PrivateKeyError, _ path: String, _ format: KeyFormat) -> ToolError {
    switch error {
    case .malformed: ToolError(.badData, "\(path) is not a private key in the format \(format.rawValue)")
    case .encrypted:
      ToolError(
        .badData, "\(path) is encrypted with a password, which sealpush does not support",
        hint: "openssl pkey -in \(ShellWord.quoted(path)) decrypts it; keep its output secret")
    case .notPrivate: ToolError(.badData, "\(path) has a public key, and a private key is needed")
    case .unsupported: ToolError(.badData, "\(path) has no X25519, P-256 or Ed25519 key")
    case .notPKCS8:
      ToolError(
        .badData, "\(path) has no PKCS#8 key",
        hint: "openssl pkey -in \(ShellWord.quoted(path)) writes PKCS#8")
    case .notOneKey:
      ToolError(
        .badData, "\(path) is a set, or has several private keys, and one key is needed",
        hint: "from a key file: sealpush keys export --format jwk --private --kid=NAME")
    case .mismatch: ToolError(.badData, "\(path): its public half does not match")
    case .jwk(let error): ToolError(.badData, "\(path): \(KeySetText.describe(error))")
    }
  }
}
