import PushCore
import PushFiles
import PushKeys

/// A finding of the doctor: what is wrong, and the command that fixes it.
struct Diagnosis {
  let severity: KeyFinding.Severity
  let code: String
  let kid: Thumbprint?
  let message: String
  /// The command; nil if no command can fix it, and the message says what to do.
  let fix: String?

  /// As text.
  var text: String {
    let key = kid.map { " \($0.text)" } ?? ""
    return "\(severity.rawValue): \(code)\(key): \(Terminal.printable(message))\n"
      + (fix.map { "  fix: \(Terminal.printable($0))\n" } ?? "")
  }

  /// As JSON.
  var json: JSONObject {
    [
      "severity": .string(severity.rawValue), "code": .string(code),
      "kid": kid.map { .string($0.text) } ?? .null,
      "message": .string(message), "mend": fix.map { .string($0) } ?? .null,
    ]
  }
}

extension Diagnosis {
  /// Why a file does not load, and the fix; nil if its owner cannot fix it.
  init?(_ error: KeyFileError, file: ExaminedFile) {
    let (path, word) = (file.path, file.word)
    let sudo = ExaminedFile.sudo
    let me = FilePlace.me
    var message = KeyFileFailure.describe(error).message
    let (code, fix): (String, String?)
    switch error.fault {
    case .tooPermissive where KeyFileFailure.isOurs(path):
      (code, fix) = ("file-permissions", "chmod 600 \(word)")
    case .tooPermissive:
      message += "; \(KeyFileFailure.mounting)"
      (code, fix) = ("file-permissions", nil)
    case .wrongOwner: (code, fix) = ("file-owner", "\(sudo)chown \(me) \(word)")
    case .file(.folderWritableByOthers), .file(.folderOfAnotherUser), .file(.linkOfAnotherUser):
      guard case .file(let error) = error.fault, let place = FilePlace.mend(error, at: path, isSecret: true)
      else {
        return nil
      }
      (code, fix) = place
    case .notEncrypted:
      let new = file.passphraseFile.map { " --new-passphrase-file \(ShellWord.quoted($0))" } ?? ""
      message +=
        ": it may be an old copy, or planted by somebody. The command shows its keys; if they are yours,"
        + " this encrypts it: sealpush keys passphrase --keys \(word)\(new)"
      (code, fix) = ("not-encrypted", "sealpush keys list --keys \(word)")
    case .keySet(.unsupportedVersion):
      message += " of sealpush: install that version; the file may be intact"
      (code, fix) = ("newer-version", "sealpush --version")
    case .keySet(.missingPrivateKey): return nil
    case .keySet(let error): self.init(error, message: message, file: file); return
    case .damaged, .unreasonableParameters, .file(.tooLarge): self.init(broken: message, file: file); return
    case .file, .folderMissing, .passphraseNeeded, .wrongPassphrase, .notEnoughMemory, .encryptionUnavailable:
      return nil
    }
    self.init(severity: .error, code: code, kid: nil, message: message, fix: fix)
  }

  /// A file that does not load: its keys may be intact, so that it can be repaired by hand.
  private init(_ error: KeySetError, message: String, file: ExaminedFile) {
    let advice: String
    switch error {
    case .twoActiveKeys:
      advice =
        "all its keys may be in use; of two active keys the later one is newer: set the other's status to accepted"
    case .noActiveKey: advice = "its keys may still be in use: set the newest key's status to active"
    case .misplacedNextKey: advice = "set the older key's status to accepted"
    default:
      self.init(broken: message, file: file)
      return
    }
    guard file.isPlainText else {
      self.init(broken: message, file: file)
      return
    }
    // The editor may replace the file by a new one, with another mode.
    let (word, aside) = (file.word, ExaminedFile.freeWord(for: file.path, ending: "broken"))
    let fix =
      "cp -p \(word) \(aside) && ${EDITOR:-vi} \(word) && chmod 600 \(word)"
    self.init(
      severity: .error, code: Self.doesNotLoad, kid: nil, message: "\(message); \(advice)", fix: fix)
  }

  /// A file that must be replaced; the command keeps the old one under another name.
  private init(broken message: String, file: ExaminedFile) {
    let kept = ExaminedFile.freeWord(for: file.path, ending: "broken")
    var advice = "the command moves it away; then restore a backup"
    if let options = file.newOptions {
      advice +=
        "; without a backup, sealpush keys new \(options) --out \(file.word) makes a new key, whose public half"
        + " you must distribute"
    }
    let fix = "mv -n \(file.word) \(kept)"
    self.init(
      severity: .error, code: Self.doesNotLoad, kid: nil, message: "\(message); \(advice)", fix: fix)
  }

  private static let doesNotLoad = "does-not-load"
}
