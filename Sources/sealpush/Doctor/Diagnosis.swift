import PushEnvelope
import PushFiles
import PushKeys
import PushPayload

/// A line of the doctor's: what is wrong, and the command that fixes it.
struct Diagnosis {
  let severity: KeyFinding.Severity
  let code: String
  let kid: Thumbprint?
  let message: String
  let fix: String

  /// For people.
  var text: String {
    let key = kid.map { " \($0.text)" } ?? ""
    return "\(severity.rawValue): \(code)\(key): \(Terminal.printable(message))\n"
      + "  fix: \(Terminal.printable(fix))\n"
  }

  /// For machines.
  var json: JSONObject {
    [
      "severity": .string(severity.rawValue), "code": .string(code),
      "kid": kid.map { .string($0.text) } ?? .null,
      "message": .string(message), "mend": .string(fix),
    ]
  }
}

extension Diagnosis {
  /// What is wrong with a file that does not load; null if that is nothing that the file's owner can fix there.
  init?(_ error: KeyFileError, _ file: ExaminedFile) {
    let (path, word) = (file.path, file.word)
    let sudo = ExaminedFile.sudo
    let me = "\"$(id -un)\""
    var message = KeyFileFailure.describe(error, path).message
    let (code, fix): (String, String)
    switch error {
    case .tooPermissive: (code, fix) = ("file-permissions", "chmod 600 \(word)")
    case .wrongOwner: (code, fix) = ("file-owner", "\(sudo)chown \(me) \(word)")
    case .file(.folderWritableByOthers):
      let folder = path.contains("/") ? String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]) : "."
      let isOwn = FileStatus(at: folder.isEmpty ? "/" : folder, isFollowingLinks: true)?.isOwn ?? false
      (code, fix) = ("folder-permissions", "\(isOwn ? "" : sudo)chmod go-w \(ShellWord.folder(of: path))")
    case .file(.folderOfAnotherUser):
      (code, fix) = ("folder-owner", "\(sudo)chown \(me) \(ShellWord.folder(of: path))")
    case .notEncrypted:
      message += ": it may be an older file, or one that somebody put there; keys list shows its keys"
      let new = file.passphraseFile.map { " --new-passphrase-file \(ShellWord.quoted($0))" } ?? ""
      (code, fix) = ("not-encrypted", "sealpush keys passphrase --keys \(word)\(new)")
    case .keySet(.unsupportedVersion):
      message += " of sealpush, which opens it: install that; the file may be whole"
      (code, fix) = ("newer-version", "sealpush --version")
    case .keySet(.missingPrivateKey): return nil
    case .keySet(let error): self.init(error, message, file); return
    case .damaged, .unreasonableParameters, .file(.tooLarge): self.init(broken: message, file); return
    case .file, .passphraseNeeded, .wrongPassphrase, .notEnoughMemory, .encryptionUnavailable: return nil
    }
    self.init(severity: .error, code: code, kid: nil, message: message, fix: fix)
  }

  /// A file whose keys may all be whole, and that a person can set right; or another that does not load.
  private init(_ error: KeySetError, _ message: String, _ file: ExaminedFile) {
    let advice: String
    switch error {
    case .twoActiveKeys:
      advice = "all its keys may be in use; of two, the later one is newer: make the other's status accepted"
    case .noActiveKey: advice = "what it has may still be in use: make the newest key's status active"
    case .misplacedNextKey: advice = "make the status of the older one accepted"
    default:
      self.init(broken: message, file)
      return
    }
    guard file.isPlainText else {
      self.init(broken: message, file)
      return
    }
    // The editor may put a new file in the place of the old one.
    let (word, aside) = (file.word, ExaminedFile.freeWord(file.path, "broken"))
    let fix =
      "cp -p \(word) \(aside) && ${EDITOR:-vi} \(word) && chmod 600 \(word)"
    self.init(
      severity: .error, code: Self.doesNotLoad, kid: nil, message: "\(message); \(advice)", fix: fix)
  }

  /// A file that has to be replaced, and is kept all the same.
  private init(broken message: String, _ file: ExaminedFile) {
    var advice = "put a backup in its place"
    var fix = "mv -n \(file.word) \(ExaminedFile.freeWord(file.path, "broken"))"
    if let options = file.newOptions {
      advice +=
        "; if there is none, this makes a file with another key, whose public half is to be handed out"
      fix += " && sealpush keys new \(options) --out \(file.word)"
    }
    self.init(
      severity: .error, code: Self.doesNotLoad, kid: nil, message: "\(message); \(advice)", fix: fix)
  }

  private static let doesNotLoad = "does-not-load"
}

extension Diagnosis {
  /// What is wrong with a set's key; `hasOthers` if the others' copy has keys that are not the set's.
  init(_ finding: KeyFinding, _ keys: KeySet, _ file: ExaminedFile, hasOthers: Bool) {
    let options = file.options
    let merge = keys.role == .sender && hasOthers ? " --merge" : ""
    let export = "sealpush keys export \(options) --out \(file.copyWord) --force\(merge)"
    let record = keys.records.first { $0.id == finding.key }
    let (message, fix): (String, String) =
      switch finding.code {
      case .activeEnded:
        (
          "the active key has ended: nothing can be made with it",
          "sealpush keys rotate \(options) && sealpush keys prune \(options)"
        )
      case .activeNotBegun:
        ("the active key is not good yet: nothing is signed with it", "sealpush keys rotate \(options)")
      case .acceptedEnded: ("its end has passed, and it is still there", "sealpush keys prune \(options)")
      case .acceptedWithoutEnd:
        (
          "it is accepted for ever, unless somebody says that all have the new key",
          "sealpush keys confirm \(options)"
        )
      case .oldActiveKey:
        (
          "the active key is \(finding.severity == .note ? "more than 30" : "more than 90") days old",
          "sealpush keys rotate \(options) --if-older-than 30d"
        )
      case .madeInFuture:
        (
          "it was made after now; if the clock here is right, then the one that it was made by was not, and"
            + " keys rotate --if-older-than replaces it", "\(ExaminedFile.sudo)timedatectl set-ntp true"
        )
      case .notHandedOut: (missing(keys.role, record?.life.status, finding.severity), export)
      case .goneKeyInUse where keys.role == .sender:
        (
          "devices trust a key that this file does not have: it is another sender's, or was destroyed here, and"
            + " only then is the command right; if it was stolen, its thief is trusted",
          Self.removal(of: finding.key, options, file)
        )
      case .goneKeyInUse:
        ("backends seal to a key that opens nothing any more: those pushes show the placeholder", export)
      }
    self.init(
      severity: finding.severity, code: finding.code.rawValue, kid: finding.key, message: message, fix: fix)
  }

  /// Takes one key out of the copy, and keeps the copy as it was.
  private static func removal(of key: Thumbprint, _ options: String, _ file: ExaminedFile) -> String {
    let copy = file.copyWord
    let export = "sealpush keys export \(options) --out \(copy) --force --merge --without=\(key.text)"
    let kept = ExaminedFile.freeWord(file.copy ?? "FILE", "with-\(key.text.prefix(8))")
    return "cp -p \(copy) \(kept) && \(export)"
  }
}

private func missing(
  _ role: KeyRole, _ status: KeyStatus?, _ severity: KeyFinding.Severity
) -> String {
  switch (role, status, severity) {
  case (.sender, .active, _): "devices do not have the key that signs: they show the placeholder"
  case (.sender, .next, _): "devices do not have the next key, and the next rotation will sign with it"
  case (.sender, _, _): "devices do not have an accepted key: what it signed shows the placeholder"
  case (_, _, .error): "backends have no key of its suite that this file opens"
  case (_, _, _): "backends do not seal to the new key, but to an older one until it ends"
  }
}
