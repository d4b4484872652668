internal import PushEnrolment
import PushCore
import PushKeys

extension Command {
  static let keysConfirm = Command(
    name: ["keys", "confirm"],
    summary: "start the grace period of replaced keys, once every sender has the new ones",
    details: """
      Keys that rotate --unconfirmed replaced never expire. This command starts their grace period, after
      which keys prune destroys them. A device runs it when its backend uses the new keys, that is, when keys
      accept has answered registered, updated or unchanged for the enrolment, and not while the answer is
      pending. Name that enrolment with --enrolment: if the keys were replaced again since, nothing changes,
      and the exit status is 65. Prints the names of the keys, one per line.
      """,
    examples: [
      "sealpush keys confirm --keys device.jwks --enrolment enrolment.json"
    ],
    options: [
      .keys,
      .optional(.enrolment, "the enrolment that the backend accepted"),
      .optional(.grace, "how long the old keys stay accepted; default: 31d, minimum: 30d"),
      .flag(.dryRun, "change nothing; print the keys that would be confirmed"), .now,
    ]
      + Parameter.passphrase
  ) { (arguments, console) throws(ToolError) in
    let path = try arguments.required(.keys)
    let grace = try arguments[.grace] ?? KeySetEditor.confirmedGrace
    let now = try arguments.now()
    let enrolment = try Continuity.enrolment(at: arguments[.enrolment])
    let confirm = { (editor: inout KeySetEditor) throws(KeySetError) -> [KeyRecord]? in
      guard let enrolment else { return try editor.confirm(grace: grace, at: now) }
      return try editor.confirm(enrolment, grace: grace, at: now)
    }
    let isDryRun = arguments.has(.dryRun)
    let result = try Keys.open(path, passphrase: arguments.passphrase) { (file) throws(KeyFileError) in
      isDryRun ? try file.rehearse(confirm).0 : try file.update(confirm)
    }
    guard let confirmed = result else {
      throw ToolError(
        .badData, "the enrolment lacks active keys of \(path): they were replaced since",
        hint: "enrol again: sealpush keys enrol")
    }
    for record in confirmed { try console.print(record.id.text + "\n") }
    let verb = isDryRun ? "would confirm" : "confirmed"
    console.note("\(verb) \(confirmed.count) key\(confirmed.count == 1 ? "" : "s")")
  }
}

extension Option<String> {
  fileprivate static var enrolment: Self { Self("--enrolment", "FILE|-", file: .input) }
}
