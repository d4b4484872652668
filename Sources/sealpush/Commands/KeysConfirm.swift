import PushEnvelope
import PushKeys

extension Command {
  static let keysConfirm = Command(
    name: ["keys", "confirm"], summary: "give replaced keys an end, when all who seal have the new ones",
    details: """
      For keys that rotate --unconfirmed replaced, which have no end: from now on they open for the grace, and
      then prune destroys them. A device does it when its backend has taken the enrolment: give that, and nothing
      is done if the keys were replaced since (exit status 65). Prints the names of the keys, one a line.
      """,
    options: [
      .keys, .optional("--enrolment", "FILE|-", "the enrolment that the backend has taken", file: .input),
      .optional("--grace", "TIME", "how long the old keys stay accepted; default: 31d, least: 30d"),
      .flag("--dry-run", "change nothing; print which would get an end"), .now,
    ]
      + Option.passphrase
  ) { (arguments, console) throws(ToolError) in
    let path = try arguments.required("--keys")
    let grace = arguments["--grace"] == nil ? KeySetEditor.confirmedGrace : try arguments.grace()
    let now = try arguments.now()
    let enrolment = try Continuity.enrolment(arguments["--enrolment"])
    let confirm = { (editor: inout KeySetEditor) throws(KeySetError) -> [KeyRecord]? in
      guard let enrolment else { return try editor.confirm(grace: grace, at: now) }
      return try editor.confirm(enrolment, grace: grace, at: now)
    }
    let isDryRun = arguments.has("--dry-run")
    let result = try Keys.open(path, arguments) { (file) throws(KeyFileError) in
      isDryRun ? try file.rehearse(confirm).0 : try file.update(confirm)
    }
    guard let confirmed = result else {
      throw ToolError(
        .badData, "the enrolment has not all active keys of \(path): they were replaced since",
        hint: "enrol again: sealpush keys enrol")
    }
    for record in confirmed { try console.print(record.id.text + "\n") }
    let verb = isDryRun ? "would give" : "gave"
    console.note("\(verb) \(confirmed.count) key\(confirmed.count == 1 ? "" : "s") an end")
  }
}
