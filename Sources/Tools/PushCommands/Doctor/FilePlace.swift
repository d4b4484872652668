import PushFiles
import PushKeys

/// Checks whether other users can replace a file or change it.
enum FilePlace {
  /// The user's name, as the shell finds it.
  static let me = "\"$(id -un)\""

  /// Why others can change or replace a file without secrets, which commands read nevertheless.
  ///
  /// It is only a warning: another user may have distributed the file, and its reader cannot always fix that.
  ///
  /// - Throws: ``ToolError`` if the file cannot be examined.
  static func diagnosis(of path: String) throws(ToolError) -> Diagnosis? {
    guard path != "-" else { return nil }
    do throws(FileError) {
      let status = try GuardedWay.status(ofFileAt: path)
      // A pipe is not a file that somebody could replace.
      guard status.kind == nil else { return nil }
      let word = ShellWord.quoted(path)
      guard status.isOwn || status.isRoots else {
        return warning(
          "file-owner", message: "\(path) belongs to another user (\(status.owner)), who can change it",
          fix: "\(ExaminedFile.sudo)chown \(me) \(word)")
      }
      guard status.permissions & 0o022 == 0 else {
        let mode = String(status.permissions, radix: 8)
        return warning(
          "file-permissions", message: "others can change \(path), which has mode 0\(mode)",
          fix: "\(status.isOwn ? "" : ExaminedFile.sudo)chmod go-w \(word)")
      }
      return nil
    } catch {
      guard let (code, fix) = mend(error, at: path, isSecret: false) else {
        throw FileFailure.reading(error, from: path)
      }
      return warning(code, message: "\(KeyFileError(.file(error), path: path))", fix: fix)
    }
  }

  private static func warning(_ code: String, message: String, fix: String) -> Diagnosis {
    Diagnosis(severity: .warning, code: code, kid: nil, message: message, fix: fix)
  }

  /// The finding's code, and the command that fixes it; nil for errors that do not mean that others can replace it.
  static func mend(_ error: FileError, at path: String, isSecret: Bool) -> (code: String, fix: String)? {
    switch error {
    case .folderWritableByOthers(let folder, _):
      let isOwn = FileStatus(at: folder, isFollowingLinks: true)?.isOwn ?? false
      return ("folder-permissions", "\(isOwn ? "" : ExaminedFile.sudo)chmod go-w \(ShellWord.quoted(folder))")
    case .folderOfAnotherUser(let folder, _):
      guard isFolder(folder, of: path) else { return ("folder-owner", removal(of: path, isSecret: isSecret)) }
      return ("folder-owner", "\(ExaminedFile.sudo)chown \(me) \(ShellWord.quoted(folder))")
    case .linkOfAnotherUser: return ("link-owner", removal(of: path, isSecret: isSecret))
    default: return nil
    }
  }

  /// Whether a folder is the file's own; folders above it may rightly belong to others.
  private static func isFolder(_ folder: String, of path: String) -> Bool {
    guard let location = try? FileLocation(path),
      let own = FileStatus(at: location.folder, isFollowingLinks: true),
      let status = FileStatus(at: folder, isFollowingLinks: true)
    else { return false }
    return status.isSame(as: own)
  }

  /// The command that moves a file to a folder of the user's own, or copies it there if it is not secret.
  private static func removal(of path: String, isSecret: Bool) -> String {
    let folder = "\"$HOME\"/.sealpush"
    return "mkdir -p -m 700 \(folder) && \(isSecret ? "mv -n" : "cp") \(ShellWord.quoted(path)) \(folder)/"
  }
}
