import PushEnvelope
import PushKeys

extension Command {
  static let keysConfirm = Command(
    name: ["keys", "confirm"], summary: "give replaced keys an end, when all who seal have the new ones",
    details: """
      For keys that rotate --unconfirmed replaced, which have no end: from now on they open for the grace, and
      then prune destroys them. A device does it when its backend has taken the enrolment. Prints the names of
      the keys, one a line.
      """,
    options: [.keys, .grace, .flag("--dry-run", "change nothing; print which would get an end"), .now]
      + Option.passphrase
  ) { (arguments, console) throws(ToolError) in
    let path = try arguments.required("--keys")
    let (grace, now) = (try arguments.grace(), try arguments.now())
    let confirmed: [KeyRecord]
    if arguments.has("--dry-run") {
      var editor = KeySetEditor(try Keys.load(path, arguments))
      do throws(KeySetError) {
        confirmed = try editor.confirm(grace: grace, at: now)
      } catch {
        throw Keys.describe(.keySet(error), path)
      }
    } else {
      confirmed = try Keys.update(path, arguments) { (editor) throws(KeySetError) in
        try editor.confirm(grace: grace, at: now)
      }
    }
    for record in confirmed { try console.print(record.id.text + "\n") }
    let verb = arguments.has("--dry-run") ? "would give" : "gave"
    console.note("\(verb) \(confirmed.count) key\(confirmed.count == 1 ? "" : "s") an end")
  }
}
