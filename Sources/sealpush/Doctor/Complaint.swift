import PushEnvelope
import PushKeys
import PushPayload

/// A line of the doctor's: what is wrong, and the command that mends it.
struct Complaint {
  let severity: KeyFinding.Severity
  let code: String
  let kid: Thumbprint?
  let message: String
  let mend: String

  /// For people.
  var text: String {
    let key = kid.map { " \($0.text)" } ?? ""
    return "\(severity.rawValue): \(code)\(key): \(Terminal.printable(message))\n"
      + "  mend: \(Terminal.printable(mend))\n"
  }

  /// For machines.
  var json: JSONObject {
    [
      "severity": .string(severity.rawValue), "code": .string(code),
      "kid": kid.map { .string($0.text) } ?? .null,
      "message": .string(message), "mend": .string(mend),
    ]
  }
}

extension Complaint {
  /// What is wrong with a file that does not load; null if that is nothing that the file's owner can mend there.
  init?(_ error: ToolError, _ path: String) {
    let word = ShellWord.quoted(path)
    let (code, mend): (String, String)
    switch error.status {
    case .noPermission:
      switch Self.loadError(path) {
      case .tooPermissive: (code, mend) = ("file-permissions", "chmod 600 \(word)")
      case .folderWritableByOthers:
        (code, mend) = ("folder-permissions", "chmod go-w \(ShellWord.folder(of: path))")
      case .wrongOwner: (code, mend) = ("file-owner", "chown \"$(id -un)\" \(word)")
      default: return nil
      }
    case .badData:
      code = "does-not-load"
      mend = "mv \(word) \(ShellWord.quoted(path + ".broken")); sealpush keys new --role ROLE --out \(word)"
    default: return nil
    }
    self.init(severity: .error, code: code, kid: nil, message: error.message, mend: mend)
  }

  private static func loadError(_ path: String) -> KeyFileError? {
    do throws(KeyFileError) {
      _ = try KeyFile(path: path).load()
      return nil
    } catch {
      return error
    }
  }

  /// What is wrong with a set's key, where the others' copy of the public half is, if it was given.
  init(_ finding: KeyFinding, _ keys: KeySet, _ path: String, copy: String?) {
    let command = "--keys \(ShellWord.quoted(path))"
    let export = "sealpush keys export \(command) --out \(ShellWord.quoted(copy ?? "FILE")) --force"
    let (message, mend): (String, String) =
      switch finding.code {
      case .activeEnded:
        ("the active key has ended: nothing can be made with it", "sealpush keys rotate \(command)")
      case .acceptedEnded: ("its end has passed, and it is still there", "sealpush keys prune \(command)")
      case .acceptedWithoutEnd:
        ("it is accepted for ever", "sealpush keys revoke \(command) --kid=\(finding.key.text)")
      case .oldActiveKey:
        (
          "the active key is \(finding.severity == .note ? "more than 30" : "more than 90") days old",
          "sealpush keys rotate \(command) --if-older-than 30d"
        )
      case .madeInFuture:
        ("it was made after now: a clock is or was wrong", "date -u; sealpush keys rotate \(command)")
      case .notHandedOut: (Self.missing(keys.role, finding.severity), export)
      case .goneKeyInUse: (Self.gone(keys.role), export)
      }
    self.init(
      severity: finding.severity, code: finding.code.rawValue, kid: finding.key, message: message, mend: mend)
  }

  private static func missing(_ role: KeyRole, _ severity: KeyFinding.Severity) -> String {
    switch (role, severity) {
    case (.sender, .error): "devices do not have the key that signs: they show the placeholder"
    case (.sender, _): "devices do not have an accepted key: what it signed shows the placeholder"
    case (_, .error): "backends have no key of its suite that this file opens"
    case (_, _): "backends do not have the new key, and seal to an old one until it ends"
    }
  }

  private static func gone(_ role: KeyRole) -> String {
    role == .sender
      ? "devices trust a key that is not in the file: if it was stolen, its thief is trusted"
      : "backends seal to a key that is not in the file: those pushes show the placeholder"
  }
}
