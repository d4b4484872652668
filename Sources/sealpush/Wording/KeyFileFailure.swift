import PushFiles
import PushKeys

/// What is wrong with a key file, as a message.
enum KeyFileFailure {
  /// Where a passphrase can come from without a terminal.
  static let passphraseSources = "--passphrase-file FILE or --passphrase-fd N provides it"

  /// A key file that was to be read or changed.
  static func describe(_ error: KeyFileError, _ path: String) -> ToolError {
    switch error {
    case .file(let error): describe(error, path)
    case .tooPermissive(let mode):
      ToolError(
        .noPermission, "\(path) can be read or written by others (mode 0\(String(mode, radix: 8)))",
        hint: isOurs(path) ? "chmod 600 \(ShellWord.quoted(path))" : mounting)
    case .wrongOwner: wrongOwner(path)
    case .passphraseNeeded:
      ToolError(
        .noPermission, "\(path) is encrypted, and there is no terminal to ask for its passphrase",
        hint: passphraseSources)
    case .notEncrypted:
      ToolError(
        .badData, "\(path) is not encrypted, and a passphrase was given",
        hint: "check that it is the right file, and not an old copy; keys passphrase encrypts it")
    case .wrongPassphrase: ToolError(.noPermission, "that is not the passphrase of \(path)")
    case .damaged:
      ToolError(.badData, "\(path) is damaged", hint: "restore a backup")
    case .unreasonableParameters:
      ToolError(
        .badData, "\(path) asks for more memory or time than any key file that sealpush makes",
        hint: "somebody altered it; restore a backup")
    case .notEnoughMemory:
      ToolError(
        .failed, "there is not the memory that the passphrase of \(path) needs",
        hint: "a key file usually needs 256 MiB")
    case .encryptionUnavailable:
      ToolError(.failed, "this build cannot encrypt or decrypt \(path)", hint: LackingLibrary.text)
    case .keySet(let error):
      ToolError(.badData, "\(path): \(KeySetText.describe(error))", hint: KeySetText.remedy(error, path))
    }
  }

  /// How a file that root or an orchestrator mounted is closed to others.
  private static let mounting =
    "mount it with mode 0440 and a group of this user: defaultMode: 0440 in Kubernetes, mode: 0440 in Docker"

  /// Whether a path is that of a file of the effective user's, and of no link.
  private static func isOurs(_ path: String) -> Bool {
    FileStatus(at: path, isFollowingLinks: false).map { $0.isOwn && $0.kind == nil } ?? false
  }

  /// A file of another user: root's can be read, but not changed.
  private static func wrongOwner(_ path: String) -> ToolError {
    guard FileStatus(at: path, isFollowingLinks: true)?.isRoots == true else {
      return ToolError(
        .noPermission, "\(path) belongs to another user",
        hint: "a key file that is read belongs to root or to you")
    }
    return ToolError(
      .noPermission, "\(path) belongs to root, and only its owner changes a key file",
      hint: "change a mounted secret where it comes from, and mount it again")
  }

  /// What is no file.
  private static func notFile(_ kind: FileKind, _ path: String) -> ToolError {
    let hint: String? =
      switch kind {
      case .symbolicLink: "a change needs the file itself; a mounted secret is changed where it comes from"
      case .pipe, .socket: "--keys-fd N and --from-fd N read an open pipe"
      case .folder, .device: nil
      }
    return ToolError(.noInput, "\(path) is not a regular file but a \(kind.rawValue)", hint: hint)
  }

  private static func describe(_ error: FileError, _ path: String) -> ToolError {
    switch error {
    case .missing:
      // What /dev/fd has for a pipe is a link that leads to no path.
      if let kind = FileStatus(at: path, isFollowingLinks: true)?.kind {
        notFile(kind, path)
      } else {
        ToolError(.noInput, "there is no \(path)")
      }
    case .exists: ToolError(.cannotCreate, "\(path) exists, and key files are never replaced")
    case .notRegularFile(let kind): notFile(kind, path)
    case .folderWritableByOthers(let folder, let mode):
      ToolError(
        .noPermission,
        "others can put another file in the place of \(path): \(folder) has mode 0\(String(mode, radix: 8))",
        hint: "chmod go-w \(ShellWord.quoted(folder)), or move the file to a folder of your own")
    case .folderOfAnotherUser(let folder, let owner):
      ToolError(
        .noPermission,
        "\(folder) is another user's (\(owner)), who can put another file in the place of \(path)",
        hint: removal(owner))
    case .linkOfAnotherUser(let link, let owner):
      ToolError(
        .noPermission,
        "the link \(link) is another user's (\(owner)), who can put another file in the place of \(path)",
        hint: removal(owner))
    case .lockNotOwn(let name):
      ToolError(
        .noPermission, "\(path): \(name), the lock of its folder, is not a file of yours with mode 0600",
        hint: "rm -r \(ShellWord.sibling(name, of: path)), or move \(path) to a folder of your own")
    case .notPermitted:
      ToolError(
        .noPermission, "\(path): not permitted",
        hint: "you need read access to the file and, to change keys, write access to its folder")
    case .tooLarge: ToolError(.badData, "\(path) is larger than any key file")
    case .notDurable:
      ToolError(
        .failed, "\(path) is changed, but the disk did not confirm it",
        hint: "do not retry: keys list shows the change, and keys export prints the public set")
    case .busy: ToolError(.failed, "another process is changing \(path)", hint: "try again")
    case .system(let call, let errno):
      ToolError(.failed, "\(path): \(call): \(SystemMessage.text(of: errno))")
    }
  }

  /// Where a file can go from a folder of this user's.
  private static func removal(_ owner: UInt32) -> String {
    let advice = "move the file to a folder of your own"
    // The overflow user ID, which Linux shows for all users that a user namespace does not map.
    return owner == 65534 ? "\(advice); in a container, 65534 is every user that it does not know" : advice
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
      ToolError(.cannotCreate, "\(path) is not a regular file but a \(kind.rawValue)")
    case .system(_, let errno):
      ToolError(.cannotCreate, "cannot write \(path): \(SystemMessage.text(of: errno))")
    case .notDurable:
      ToolError(.failed, "\(path) is written, but the disk did not confirm it", hint: "retry")
    case .folderWritableByOthers, .folderOfAnotherUser, .linkOfAnotherUser, .lockNotOwn, .busy:
      describe(error, path)
    case .tooLarge: ToolError(.cannotCreate, "cannot create \(path)")
    }
  }
}
