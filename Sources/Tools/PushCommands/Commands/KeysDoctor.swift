internal import PushEnrolment
import PushCore
import PushKeys
import PushSealer

extension Command {
  static let keysDoctor = Command(
    name: ["keys", "doctor"], summary: "find problems with a key file, and the command that fixes each",
    details: """
      Checks the permissions of the file and of every folder above it, whether the file loads, and each key's
      age and expiry. With --public or --senders it also checks the copy of the public half that others have:
      the backends' copy for a device, the devices' copy for a sender. A signed copy must not end within 90
      days; with a root's file, only that is checked.

      Commands refuse a key file that another user could replace. They accept the copy, a root's public set
      and a file of recipients in any place; the doctor warns if another user could change or replace one of
      these.

      For a sender with a signed copy, --recipients counts the phones that do not have that copy, as far as
      they report what they have.

      The exit status is 0 if there is no error, and 65 if there is one. With --json each finding is a line
      {"severity","code","kid","message","mend"}. severity is error, warning or note; mend is the command that
      fixes it, or null for a mounted file.

      No command changes the copy, because it shows what others have. A command that fixes it writes
      FILE.to-hand-out beside it: distribute that file, and then fetch the copy again.
      """,
    examples: [
      "sealpush keys doctor --keys device.jwks --public device.pub.jwks --quiet",
      "sealpush keys doctor --keys sender.jwks --senders sender.pub.jwks --json",
    ],
    options: [
      .keys,
      .optional(.publicSet, "the backends' copy of a device's public set"),
      .optional(.senders, "the devices' copy of a sender's public set, or of a signed set"),
      .root,
      .optional(.recipients, "a file of registrations or recipients, as seal --recipients reads it"),
      .optional(.topic, "with --root: the app's bundle ID")
        .configurable(.with(.root), .with(.senders)),
      .now, .json,
    ] + Parameter.passphrase
  ) { (arguments, console) throws(ToolError) in
    let path = try arguments.required(.keys)
    let diagnoses = try diagnoses(of: path, arguments: arguments)
    for diagnosis in diagnoses {
      let json = arguments.has(.json)
      try console.print(
        json ? diagnosis.json.jsonLine : diagnosis.text)
    }
    let errors = diagnoses.count { $0.severity == .error }
    guard errors == 0 else {
      throw ToolError(.badData, "\(path): \(errors) error\(errors == 1 ? "" : "s")")
    }
    if diagnoses.isEmpty { console.note("\(path) is fine") }
  }

  private static func diagnoses(of path: String, arguments: Arguments) throws(ToolError) -> [Diagnosis] {
    guard arguments[.publicSet] == nil || arguments[.senders] == nil else {
      throw .usage("give \(Option.publicSet) for a device's file, or \(Option.senders) for a sender's")
    }
    let file = ExaminedFile(path: path, arguments: arguments)
    let keys: KeySet
    switch try Keys.attempt(
      at: path, passphrase: arguments.passphrase, work: { (keys) throws(KeyFileError) in try keys.load() })
    {
    case .success(let loaded): keys = loaded
    case .failure(let error):
      guard let diagnosis = Diagnosis(error, file: file) else { throw KeyFileFailure.describe(error) }
      return [diagnosis]
    }
    guard arguments[.publicSet] == nil || keys.role == .device else {
      throw .usage(
        "\(Option.publicSet) is for a device's file, but \(path) has a \(keys.role.rawValue)'s keys")
    }
    let isOfSenders = keys.role == .sender || keys.role == .root && arguments[.root] != nil
    guard arguments[.senders] == nil || isOfSenders else {
      throw .usage("\(Option.senders) is for a sender's file, but \(path) has a \(keys.role.rawValue)'s keys")
    }
    let senders = try arguments[.senders].map { (path) throws(ToolError) in
      try Keys.loadSenders(from: path, root: try PinnedRoot(parsing: arguments))
    }
    let copy: PublicKeySet? =
      switch (senders, file.copy) {
      case (let senders?, _): keys.role == .root ? nil : senders.keys
      case (nil, let path?): try Keys.loadPublic(from: path)
      case (nil, nil): nil
      }
    if let path = arguments[.publicSet], let copy, copy.role != keys.role {
      throw KeyFileFailure.wrongRole(copy.role, at: path, needed: "a device's")
    }
    let now = try arguments.now()
    let ofSet = senders?.signedSet.flatMap { set in
      set.finding(at: now).map { Diagnosis($0, of: set, role: keys.role, file: file) }
    }
    let ofFleet = try fleet(of: keys, senders: senders?.signedSet, file: file, arguments: arguments)
    var places: [Diagnosis] = []
    for path in [file.copy, arguments[.root], arguments[.recipients]].compactMap(\.self) {
      if let place = try FilePlace.diagnosis(of: path) { places.append(place) }
    }
    do throws(KeySetError) {
      let ofKeys = try keys.findings(at: now, copy: copy, rotatedAfter: file.daysToRotation(for: keys.role))
      let state = CopyState(copy: copy, of: keys, findings: ofKeys)
      return ofKeys.map { Diagnosis($0, keys: keys, file: file, copy: state) }
        + [ofSet, ofFleet].compactMap(\.self)
        + places
    } catch {
      throw KeyFileFailure.describe(error, at: file.copy ?? path)
    }
  }
}

extension Command {
  /// The phones that would be left behind by a rotation, if the registrations say it; nil if none says what it has.
  private static func fleet(
    of keys: KeySet, senders: SenderKeySet?, file: ExaminedFile, arguments: Arguments
  ) throws(ToolError) -> Diagnosis? {
    guard keys.role == .sender, let senders, let path = arguments[.recipients] else { return nil }
    var report = FleetReport(sets: [senders], sender: keys, at: try arguments.now())
    do throws(RecipientFileError) {
      try report.add(fileAt: path)
    } catch {
      throw RecipientFileFailure.describe(error)
    }
    guard report[.unknown] < report.devices, !report.isReadyForRotation else { return nil }
    return Diagnosis(report, file: file, registrations: path)
  }
}

extension Option<String> {
  /// The backends' copy of a device's public set.
  static var publicSet: Self { Self("--public", "FILE", file: .input) }
}
