import PushEnvelope
import PushFiles
import PushKeys
import PushPayload

/// A finding of the doctor: what is wrong, and the command that fixes it.
struct Diagnosis {
  let severity: KeyFinding.Severity
  let code: String
  let kid: Thumbprint?
  let message: String
  let fix: String

  /// As text.
  var text: String {
    let key = kid.map { " \($0.text)" } ?? ""
    return "\(severity.rawValue): \(code)\(key): \(Terminal.printable(message))\n"
      + "  fix: \(Terminal.printable(fix))\n"
  }

  /// As JSON.
  var json: JSONObject {
    [
      "severity": .string(severity.rawValue), "code": .string(code),
      "kid": kid.map { .string($0.text) } ?? .null,
      "message": .string(message), "mend": .string(fix),
    ]
  }
}

extension Diagnosis {
  /// Why a file does not load, and the fix; nil if its owner cannot fix it.
  init?(_ error: KeyFileError, _ file: ExaminedFile) {
    let (path, word) = (file.path, file.word)
    let sudo = ExaminedFile.sudo
    let me = FilePlace.me
    var message = KeyFileFailure.describe(error).message
    let (code, fix): (String, String)
    switch error.fault {
    case .tooPermissive: (code, fix) = ("file-permissions", "chmod 600 \(word)")
    case .wrongOwner: (code, fix) = ("file-owner", "\(sudo)chown \(me) \(word)")
    case .file(.folderWritableByOthers), .file(.folderOfAnotherUser), .file(.linkOfAnotherUser):
      guard case .file(let error) = error.fault, let place = FilePlace.mend(error, path, isSecret: true)
      else {
        return nil
      }
      (code, fix) = place
    case .notEncrypted:
      message += ": it may be an old copy, or planted by somebody; keys list shows its keys"
      let new = file.passphraseFile.map { " --new-passphrase-file \(ShellWord.quoted($0))" } ?? ""
      (code, fix) = ("not-encrypted", "sealpush keys passphrase --keys \(word)\(new)")
    case .keySet(.unsupportedVersion):
      message += " of sealpush: install that version; the file may be intact"
      (code, fix) = ("newer-version", "sealpush --version")
    case .keySet(.missingPrivateKey): return nil
    case .keySet(let error): self.init(error, message, file); return
    case .damaged, .unreasonableParameters, .file(.tooLarge): self.init(broken: message, file); return
    case .file, .folderMissing, .passphraseNeeded, .wrongPassphrase, .notEnoughMemory, .encryptionUnavailable:
      return nil
    }
    self.init(severity: .error, code: code, kid: nil, message: message, fix: fix)
  }

  /// A file that does not load: with intact keys that can be repaired by hand, or not.
  private init(_ error: KeySetError, _ message: String, _ file: ExaminedFile) {
    let advice: String
    switch error {
    case .twoActiveKeys:
      advice =
        "all its keys may be in use; of two active keys the later one is newer: set the other's status to accepted"
    case .noActiveKey: advice = "its keys may still be in use: set the newest key's status to active"
    case .misplacedNextKey: advice = "set the older key's status to accepted"
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

  /// A file that must be replaced; the command keeps it under another name.
  private init(broken message: String, _ file: ExaminedFile) {
    var advice = "restore a backup"
    var fix = "mv -n \(file.word) \(ExaminedFile.freeWord(file.path, "broken"))"
    if let options = file.newOptions {
      advice +=
        "; without a backup, this makes a file with a new key, whose public half you must distribute"
      fix += " && sealpush keys new \(options) --out \(file.word)"
    }
    self.init(
      severity: .error, code: Self.doesNotLoad, kid: nil, message: "\(message); \(advice)", fix: fix)
  }

  private static let doesNotLoad = "does-not-load"
}

extension Diagnosis {
  /// What is wrong with a key of a set; `hasOthers` if the others' copy has keys that the set does not have.
  init(_ finding: KeyFinding, _ keys: KeySet, _ file: ExaminedFile, hasOthers: Bool) {
    let options = file.options
    let merge = keys.role == .sender && hasOthers ? " --merge" : ""
    let export = "sealpush keys export \(options) --out \(file.copyWord) --force\(merge)"
    let record = keys.records.first { $0.id == finding.key }
    let (message, fix): (String, String) =
      switch finding.code {
      case .activeEnded:
        (
          "the active key has expired: nothing can be sealed or signed with it",
          "sealpush keys rotate \(options) && sealpush keys prune \(options)"
        )
      case .activeNotBegun:
        ("the active key is not valid yet: nothing is signed with it", "sealpush keys rotate \(options)")
      case .acceptedEnded: ("it has expired and was not destroyed yet", "sealpush keys prune \(options)")
      case .acceptedWithoutEnd:
        (
          "it never expires, until somebody confirms that every sender has the new key",
          "sealpush keys confirm \(options)"
        )
      case .oldActiveKey:
        (
          "the active key is \(finding.severity == .note ? "more than 30" : "more than 90") days old",
          "sealpush keys rotate \(options) --if-older-than 30d"
        )
      case .madeInFuture:
        (
          "it was made in the future; if this clock is right, the clock that made it was wrong, and"
            + " keys rotate --if-older-than replaces it", "\(ExaminedFile.sudo)timedatectl set-ntp true"
        )
      case .notHandedOut: (missing(keys.role, record?.life.status, finding.severity), export)
      case .goneKeyInUse where keys.role == .sender:
        (
          "devices trust a key that this file does not have: it is another sender's, or was destroyed here. Run"
            + " the command only if it was destroyed; if it was stolen, its thief is trusted",
          Self.removal(of: finding.key, options, file)
        )
      case .goneKeyInUse:
        ("backends seal to a destroyed key: those pushes show only the placeholder", export)
      }
    self.init(
      severity: finding.severity, code: finding.code.rawValue, kid: finding.key, message: message, fix: fix)
  }

  /// Removes one key from the copy, and keeps a backup of the copy.
  private static func removal(of key: Thumbprint, _ options: String, _ file: ExaminedFile) -> String {
    let copy = file.copyWord
    let export = "sealpush keys export \(options) --out \(copy) --force --merge --without=\(key.text)"
    let kept = ExaminedFile.freeWord(file.copy ?? "FILE", "with-\(key.text.prefix(8))")
    return "cp -p \(copy) \(kept) && \(export)"
  }
}

extension Diagnosis {
  /// What is wrong with the end of the signed set that devices have.
  init(_ finding: SenderSetFinding, of set: SenderKeySet, _ role: KeyRole, _ file: ExaminedFile) {
    let end = CalendarTime.text(set.expiresAt)
    let message =
      switch finding {
      case .endsSoon: "the set ends at \(end): until then, devices need a newer one"
      case .ended: "the set ended at \(end): devices that have no newer one show only the placeholder"
      }
    // The root's file is elsewhere, except where it is what the doctor examines.
    let advice = role == .root ? "" : "; run the command where the root's file is, then hand out the set"
    let root = role == .root ? file.options : "--keys \(file.rootWord)"
    let (copy, new) = (file.copyWord, ExaminedFile.freeWord(file.copy ?? "FILE", "new"))
    let fix =
      "sealpush keys sign-senders \(root) --senders \(copy) --root \(file.rootsWord)"
      + " --topic \(set.topic.text) --out \(new) && mv \(new) \(copy)"
    self.init(
      severity: finding.severity, code: finding.rawValue, kid: nil, message: message + advice, fix: fix)
  }
}

private func missing(
  _ role: KeyRole, _ status: KeyStatus?, _ severity: KeyFinding.Severity
) -> String {
  switch (role, status, severity) {
  case (.sender, .active, _): "devices do not have the signing key: they show only the placeholder"
  case (.sender, .next, _): "devices do not have the next key, and the next rotation will sign with it"
  case (.sender, _, _): "devices lack an accepted key: what it signed shows only the placeholder"
  case (_, _, .error): "backends have no key of its suite that this file opens"
  case (_, _, _): "backends still seal to an older key, until it expires"
  }
}
