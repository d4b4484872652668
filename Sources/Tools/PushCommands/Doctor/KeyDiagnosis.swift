import PushCore
import PushEnrolment
import PushKeys

extension Diagnosis {
  /// What is wrong with a key of a set.
  ///
  /// No command writes the others' copy: it is fetched again once they have the new set.
  init(_ finding: KeyFinding, keys: KeySet, file: ExaminedFile, copy: CopyState) {
    let options = file.options
    let handingOut = file.export(keepsOthers: keys.role == .sender && copy.hasOthers)
    let record = keys.records.first { $0.id == finding.key }
    let (message, fix): (String, String) =
      switch finding.code {
      case .acceptedEnded: (finding.text, "sealpush keys prune \(options)")
      case .acceptedWithoutEnd: Self.confirmation(of: finding, role: keys.role, file: file, copy: copy)
      case .activeEnded, .activeNotBegun, .oldActiveKey:
        Self.rotation(for: finding, role: keys.role, file: file, copy: copy)
      case .madeInFuture:
        (
          "it was made in the future; if this clock is right, the clock that made it was wrong, and"
            + " keys rotate \(keys.role == .sender ? "--again" : "--if-older-than") replaces it",
          "\(ExaminedFile.sudo)timedatectl set-ntp true"
        )
      case .notHandedOut:
        (
          "\(missing(role: keys.role, status: record?.life.status, severity: finding.severity)); \(file.advice)",
          handingOut
        )
      case .goneKeyInUse where keys.role == .sender:
        (
          "devices trust a key that this file does not have: it is another sender's, or was destroyed here. Run"
            + " the command only if it was destroyed; if it was stolen, its thief is trusted until you"
            + " \(file.advice)",
          file.export(keepsOthers: true, without: finding.key)
        )
      case .goneKeyInUse:
        (
          "backends seal to a destroyed key: those pushes show only the placeholder; \(file.advice)",
          handingOut
        )
      }
    self.init(
      severity: finding.severity, code: finding.code.rawValue, kid: finding.key, message: message, fix: fix)
  }

  /// How to replace an active key; if devices lack the next key, which would then sign, they must get it first.
  private static func rotation(
    for finding: KeyFinding, role: KeyRole, file: ExaminedFile, copy: CopyState
  ) -> (String, String) {
    let (options, days) = (file.options, file.daysToRotation(for: role))
    let (message, fix): (String, String) =
      switch (finding.code, finding.severity) {
      case (.activeEnded, _):
        (finding.text, "sealpush keys rotate \(options) && sealpush keys prune \(options)")
      case (.activeNotBegun, _): (finding.text, "sealpush keys rotate \(options)")
      case (_, let severity):
        (
          "the active key is more than \(severity == .note ? days : 90) days old",
          "sealpush keys rotate \(options) --if-older-than \(days)d"
        )
      }
    guard role == .sender, copy.lacksKeys else {
      return (role == .shared ? message : "\(message); the command prints the public set to hand out", fix)
    }
    return (
      "\(message); before a rotation, devices need the next key: \(file.advice)",
      file.export(keepsOthers: copy.hasOthers)
    )
  }

  /// How to end an accepted key: by a confirmation, which is proposed only if the copy has the new keys.
  private static func confirmation(
    of finding: KeyFinding, role: KeyRole, file: ExaminedFile, copy: CopyState
  ) -> (String, String) {
    let message = finding.text
    let confirm = "sealpush keys confirm \(file.options)"
    guard !copy.showsAll else { return ("\(message); the copy has it", confirm) }
    let show = "sealpush keys \(role == .shared ? "list" : "export") \(file.options)"
    return ("\(message): the command prints what they need; when all have it, run \(confirm)", show)
  }
}

/// What the doctor knows about the others' copy.
struct CopyState {
  /// Whether it has keys that the file does not have.
  let hasOthers: Bool
  /// Whether it lacks a key that must be handed out.
  let lacksKeys: Bool
  /// Whether there is a copy, and it has all keys that must be handed out.
  let showsAll: Bool

  init(copy: PublicKeySet?, of keys: KeySet, findings: [KeyFinding]) {
    let own = Set(keys.records.map(\.id))
    hasOthers = copy?.records.contains { !own.contains($0.id) } ?? false
    lacksKeys = findings.contains { $0.code == .notHandedOut }
    showsAll = copy != nil && !lacksKeys
  }
}

extension Diagnosis {
  /// What is wrong with the end of the signed set that devices have.
  init(_ finding: SenderSetFinding, of set: SenderKeySet, role: KeyRole, file: ExaminedFile) {
    let end = set.expiresAt.calendarText
    let message =
      switch finding {
      case .endsSoon: "the set ends at \(end): until then, devices need a newer one"
      case .ended: "the set ended at \(end): devices that have no newer one show only the placeholder"
      }
    // The root's file is elsewhere, unless the doctor examines it.
    let root = role == .root ? file.options : "--keys \(file.rootWord)"
    self.init(
      severity: finding.severity, code: finding.rawValue, kid: nil, message: "\(message); \(file.advice)",
      fix: file.signing(with: root))
  }
}

extension Diagnosis {
  /// Phones do not have the sender's next key.
  init(_ report: FleetReport, file: ExaminedFile, registrations: String) {
    self.init(
      severity: .warning, code: "phones-behind", kid: nil,
      message:
        "\(report.withoutNextKey) of \(report.devices) phones do not have the next key, as far as they say: do"
        + " not rotate until they have enrolled with the newest set; the command names them",
      fix:
        "sealpushd devices report --registrations \(ShellWord.quoted(registrations)) --senders \(file.copyWord)"
        + " --from \(file.word) --names")
  }
}

private func missing(
  role: KeyRole, status: KeyStatus?, severity: KeyFinding.Severity
) -> String {
  switch (role, status, severity) {
  case (.sender, .active, _): "devices do not have the signing key: they show only the placeholder"
  case (.sender, .next, _): "devices do not have the next key, and the next rotation will sign with it"
  case (.sender, _, _): "devices lack an accepted key: what it signed shows only the placeholder"
  case (_, _, .error): "backends have no key of its suite that this file opens"
  case (_, _, _): "backends still seal to an older key, until it expires"
  }
}
