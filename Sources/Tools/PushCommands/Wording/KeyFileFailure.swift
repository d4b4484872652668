import PushCore
import PushFiles
package import PushKeys

/// What is wrong with a key file, as a message.
package enum KeyFileFailure {
  /// How to provide a passphrase without a terminal.
  static let passphraseSources = "--passphrase-file FILE or --passphrase-fd N provides it"

  /// The error for a key file that could not be read or changed.
  package static func describe(_ error: KeyFileError) -> ToolError {
    // For a pipe, /dev/fd has a link that leads to no path.
    if error.fault == .file(.missing), let kind = FileStatus(at: error.path, isFollowingLinks: true)?.kind {
      return describe(KeyFileError(.file(.notRegularFile(kind)), path: error.path))
    }
    let (status, hint) = advice(for: error.fault, at: error.path)
    return ToolError(status, message(for: error), hint: hint)
  }

  private static func message(for error: KeyFileError) -> String {
    switch error.fault {
    case .passphraseNeeded: "\(error.path) is encrypted, and there is no terminal to ask for its passphrase"
    case .wrongOwner where isRoots(error.path):
      "\(error.path) belongs to root, and only a key file's owner can change it"
    default: "\(error)"
    }
  }

  /// The error for a file's keys.
  static func describe(_ error: KeySetError, at path: String) -> ToolError {
    describe(KeyFileError(.keySet(error), path: path))
  }

  /// The error for keys with another role than `needed`, such as "a device's".
  static func wrongRole(_ role: KeyRole, at path: String, needed: String) -> ToolError {
    let given =
      switch role {
      case .shared: "shared keys"
      case .identity: "an identity's keys"
      case .device, .sender, .root: "a \(role.rawValue)'s keys"
      }
    return ToolError(.badData, "\(path) has \(given), but \(needed) are needed")
  }

  /// The exit status, and what to do.
  private static func advice(for fault: KeyFileFault, at path: String) -> (ExitStatus, hint: String?) {
    switch fault {
    case .file(let error): advice(for: error, at: path)
    case .folderMissing: (.cannotCreate, nil)
    case .tooPermissive: (.noPermission, isOurs(path) ? "chmod 600 \(ShellWord.quoted(path))" : mounting)
    case .wrongOwner:
      (
        .noPermission,
        isRoots(path)
          ? "change a mounted secret where it comes from, and mount it again"
          : "a key file must belong to you or, if it is only read, to root"
      )
    case .wrongPassphrase: (.noPermission, nil)
    case .passphraseNeeded: (.noPermission, passphraseSources)
    case .notEncrypted:
      (.badData, "check that it is the right file, and not an old copy; keys passphrase encrypts it")
    case .damaged: (.badData, "restore a backup")
    case .unreasonableParameters: (.badData, "somebody altered it; restore a backup")
    case .notEnoughMemory: (.failed, "a key file usually needs 256 MiB")
    case .encryptionUnavailable: (.failed, LackingLibrary.text)
    case .keySet(.unavailable): (.failed, SuiteText.hint)
    case .keySet(.nextKeyTooYoung(let begin)):
      (
        .pending,
        "rotate it from \(begin.calendarText) UTC on, or now with --again; for a stolen key: keys revoke"
      )
    case .keySet(let error): (.badData, remedy(for: error, at: path))
    }
  }

  /// How to close a file that root or an orchestrator mounted.
  static let mounting =
    "mount it with mode 0440 and a group of this user: defaultMode: 0440 in Kubernetes, mode: 0440 in Docker"

  /// Whether a path names a file that the effective user owns, and not a link.
  static func isOurs(_ path: String) -> Bool {
    FileStatus(at: path, isFollowingLinks: false).map { $0.isOwn && $0.kind == nil } ?? false
  }

  private static func isRoots(_ path: String) -> Bool {
    FileStatus(at: path, isFollowingLinks: true)?.isRoots == true
  }

  /// The error for something that is not a regular file.
  private static func advice(for kind: FileKind) -> String? {
    switch kind {
    case .symbolicLink: "a change needs the file itself; a mounted secret is changed where it comes from"
    case .pipe, .socket: "--keys-fd N, --from-fd N and --key-file-fd N read an open pipe"
    case .folder, .device: nil
    }
  }

  private static func advice(for error: FileError, at path: String) -> (ExitStatus, hint: String?) {
    switch error {
    case .missing: (.noInput, nil)
    case .notRegularFile(let kind): (.noInput, advice(for: kind))
    case .exists: (.cannotCreate, nil)
    case .folderWritableByOthers(let folder, _):
      (
        .noPermission,
        "chmod go-w \(ShellWord.quoted(folder)), or move the file to a folder of your own"
      )
    case .folderOfAnotherUser(_, let owner), .linkOfAnotherUser(_, let owner):
      (.noPermission, removal(owner: owner))
    case .lockNotOwn(let name):
      (
        .noPermission,
        "rm -r \(ShellWord.sibling(name, of: path)), or move \(path) to a folder of your own"
      )
    case .notPermitted:
      (
        .noPermission,
        "you need read access to the file and, to change keys, write access to its folder"
      )
    case .tooLarge: (.badData, nil)
    case .notDurable:
      (.failed, "do not retry: keys list shows the change, and keys export prints the public set")
    case .busy: (.failed, "try again")
    case .system: (.failed, nil)
    }
  }

  /// What to do about the keys; nil if there is no advice.
  private static func remedy(for error: KeySetError, at path: String) -> String? {
    switch error {
    case .privateKeyInPublicSet:
      "write its public half: sealpush keys export --keys \(ShellWord.quoted(path))"
    case .missingPrivateKey: "use the file that keys new made, not the output of keys export"
    case .suitePresent: "sealpush keys rotate replaces keys"
    case .noPublicHalf: "copy the file itself to the other side, where nobody else can read it"
    default: nil
    }
  }

  /// How to move a file out of a folder of another user.
  private static func removal(owner: UInt32) -> String {
    let advice = "move the file to a folder of your own"
    // The overflow user ID, which Linux shows for users whom the user namespace does not map.
    guard owner == 65534 else { return advice }
    return "\(advice); in a container, 65534 stands for every user that the container does not know"
  }

  /// The error for a file that could not be created; `hint` is for a file that exists.
  package static func writing(_ error: KeyFileError, existing hint: String) -> ToolError {
    switch error.fault {
    case .file(let fault): writing(fault, at: error.path, existing: hint)
    case .folderMissing, .notEnoughMemory: describe(error)
    default: ToolError(.cannotCreate, "cannot create \(error.path)")
    }
  }

  /// The error for any file that could not be created.
  static func writing(_ error: FileError, at path: String, existing hint: String) -> ToolError {
    switch error {
    case .exists: ToolError(.cannotCreate, "\(path) exists", hint: hint)
    case .missing: describe(KeyFileError(.folderMissing, path: path))
    case .notPermitted: ToolError(.cannotCreate, "cannot create \(path): not permitted")
    case .notRegularFile(let kind):
      ToolError(.cannotCreate, "\(path) is not a regular file but a \(kind.rawValue)")
    case .system(_, let errno):
      ToolError(.cannotCreate, "cannot write \(path): \(SystemMessage.text(of: errno))")
    case .notDurable:
      ToolError(.failed, "\(path) was written, but the disk did not confirm it", hint: "retry")
    case .folderWritableByOthers, .folderOfAnotherUser, .linkOfAnotherUser, .lockNotOwn, .busy:
      describe(KeyFileError(.file(error), path: path))
    case .tooLarge: ToolError(.cannotCreate, "cannot create \(path)")
    }
  }
}
