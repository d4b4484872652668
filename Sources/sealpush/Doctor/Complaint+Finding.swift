import PushEnvelope
import PushKeys

extension Complaint {
  /// What is wrong with a set's key; `hasOthers` if the others' copy has keys that are not the set's.
  init(_ finding: KeyFinding, _ keys: KeySet, _ patient: Patient, hasOthers: Bool) {
    let options = patient.options
    let merge = keys.role == .sender && hasOthers ? " --merge" : ""
    let export = "sealpush keys export \(options) --out \(patient.copyWord) --force\(merge)"
    let record = keys.records.first { $0.id == finding.key }
    let (message, mend): (String, String) =
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
            + " keys rotate --if-older-than replaces it", "\(Patient.sudo)timedatectl set-ntp true"
        )
      case .notHandedOut: (missing(keys.role, record?.life.status, finding.severity), export)
      case .goneKeyInUse where keys.role == .sender:
        (
          "devices trust a key that this file does not have: it is another sender's, or was destroyed here, and"
            + " only then is the command right; if it was stolen, its thief is trusted",
          Self.removal(of: finding.key, options, patient)
        )
      case .goneKeyInUse:
        ("backends seal to a key that opens nothing any more: those pushes show the placeholder", export)
      }
    self.init(
      severity: finding.severity, code: finding.code.rawValue, kid: finding.key, message: message, mend: mend)
  }

  /// Takes one key out of the copy, and keeps the copy as it was.
  private static func removal(of key: Thumbprint, _ options: String, _ patient: Patient) -> String {
    let copy = patient.copyWord
    let export = "sealpush keys export \(options) --out \(copy) --force --merge --without=\(key.text)"
    let kept = Patient.freeWord(patient.copy ?? "FILE", "with-\(key.text.prefix(8))")
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
