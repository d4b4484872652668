import PushEnvelope
import PushKeys

extension Command {
  static let keysRotate = Command(
    name: ["keys", "rotate"], summary: "replace the active keys by new ones",
    details: """
      The old keys stay accepted for the grace, because APNs may hold a push for 30 days. Prints the new
      public JWK Set: hand it out. Until others have it they use the old keys, so give a longer grace where
      that takes days. The file is replaced as a whole or not at all. Of shared keys nothing is printed: copy
      the file to the side that opens first, then to the side that seals.
      """,
    options: [
      .keys, .optional("--grace", "TIME", "how long the old keys stay accepted; default, and least: 30d"),
      .output, .force,
      .flag("--dry-run", "change nothing; list what the file would hold, with keys made up for it"), .now,
    ] + Option.passphrase
  ) { (arguments, console) throws(ToolError) in
    let path = try arguments.required("--keys")
    let grace = try arguments.seconds("--grace").map { Duration.seconds($0) } ?? KeySetEditor.minimumGrace
    guard grace >= KeySetEditor.minimumGrace else {
      throw .usage("--grace is at least 30d: APNs holds a push that long, and it would be lost")
    }
    guard grace <= .seconds(3650 * 86_400) else {
      throw .usage("--grace is at most 3650d: a key that is never destroyed protects nothing that it opened")
    }
    let now = try arguments.now()
    if arguments.has("--dry-run") {
      var editor = KeySetEditor(try Keys.load(path, arguments))
      do throws(KeySetError) {
        try editor.rotate(grace: grace, at: now)
      } catch {
        throw Keys.describe(.keySet(error), path)
      }
      console.note("dry run: \(path) is as it was; it would hold keys like these")
      return try console.print(KeyListing.table(editor.keySet))
    }
    let replaces = arguments.has("--force")
    try FileOutput.check(arguments["--out"], replaces: replaces)
    let isWritten = arguments["--out"] != nil
    let publicKeys = try Keys.update(path, arguments) { (editor) throws(KeySetError) -> PublicKeySet? in
      try editor.rotate(grace: grace, at: now)
      return editor.keySet.role == .shared && !isWritten ? nil : try editor.keySet.publicKeys
    }
    guard let publicKeys else {
      return console.note(
        "rotated \(path); copy it to the side that opens first, then to the side that seals")
    }
    // First, so that it is said even if nobody reads the output.
    console.note("rotated \(path); hand out the new public set, which keys export prints again")
    try FileOutput.write(publicKeys.encoded(), to: arguments["--out"], replaces: replaces, console)
  }
}
