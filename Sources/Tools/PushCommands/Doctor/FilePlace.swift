import PushFiles
import PushKeys

/// Who else can put another file in the place of a file, or change it.
enum FilePlace {
  /// The user, as a shell's word.
  static let me = "\"$(id -un)\""

  /// What lets others change or replace a file without secrets, which commands read nevertheless.
  ///
  /// Another user may have distributed it, and who reads it cannot always mend that: it is a warning.
  ///
  /// - Throws: ``ToolError`` if it cannot be looked at.
  static func diagnosis(of path: String) throws(ToolError) -> Diagnosis? {
    guard path != "-" else { return nil }
    do throws(FileError) {
      let status = try GuardedWay.status(ofFileAt: path)
      // What is a pipe now is no file that anybody could replace.
      guard status.kind == nil else { return nil }
      let word = ShellWord.quoted(path)
      guard status.isOwn || status.isRoots else {
        return warning(
          "file-owner", message: "\(path) is another user's (\(status.owner)), who can change it",
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

  /// The finding's code, and the command that fixes it; nil if the error is not that others can replace the file.
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

  /// Whether a path is that of a file's folder itself: those above it may belong to others with reason.
  private static func isFolder(_ folder: String, of path: String) -> Bool {
    guard let location = try? FileLocation(path),
      let own = FileStatus(at: location.folder, isFollowingLinks: true),
      let status = FileStatus(at: folder, isFollowingLinks: true)
    else { return false }
    return status.isSame(as: own)
  }

  /// Takes a file to a folder of its user's own; a copy of it, if it is no secret.
  private static func removal(of path: String, isSecret: Bool) -> String {
    let folder = "\"$HOME\"/.sealpush"
    return "mkdir -p -m 700 \(folder) && \(isSecret ? "mv -n" : "cp") \(ShellWord.quoted(path)) \(folder)/"
  }
}
