import PushEnvelope
import PushKeys

extension Command {
  static let keysRotate = Command(
    name: ["keys", "rotate"], summary: "replace the active keys by new ones",
    details: """
      The old keys stay accepted for the grace, because APNs may hold a push for 30 days. Prints the new
      public JWK Set: hand it out. Backends without it seal to a device's old key, so give a longer grace where
      that takes days. A sender's new key signs at once: it is the one that was next, which devices have from
      the public set before, if they got that; a new next one is made for the coming rotation. Ask keys doctor
      --senders first whether they did. A sender without a next key gets one, and nothing else. The file is
      replaced as a whole or not at all. Of shared keys nothing is printed: copy the file to the side that opens
      first, then to the side that seals.
      With --if-older-than, run it as often as you like: younger keys are kept, and if all are, no key is
      changed; --out FILE is written then if it is not there, or has another set.
      """,
    options: [
      .keys,
      .optional("--if-older-than", "TIME", "replace only keys that were made that long ago, such as 30d"),
      .grace, .flag("--unconfirmed", "give the old keys no end yet: keys confirm does"), .output, .force,
      .flag("--dry-run", "change nothing; list what the file would hold, with keys made up for it"), .now,
    ] + Option.passphrase
  ) { (arguments, console) throws(ToolError) in
    let path = try arguments.required("--keys")
    guard !arguments.has("--unconfirmed") || arguments["--grace"] == nil else {
      throw .usage("--unconfirmed has no --grace: keys confirm has it")
    }
    let grace = arguments.has("--unconfirmed") ? nil : try arguments.grace()
    let age = try arguments.seconds("--if-older-than").map { Duration.seconds($0) }
    let now = try arguments.now()
    let change = KeyChange(path, arguments)
    let (rotation, keys) = try change.make { (editor) throws(KeySetError) -> Rotation in
      guard let age else { return try editor.rotate(grace: grace, at: now) }
      return try editor.rotate(ifOlderThan: age, grace: grace, at: now)
    }
    for record in rotation.kept {
      let days = max(0, now.seconds - record.life.issuedAt.seconds) / 86_400
      console.note("kept \(record.id.text), which is \(days) days old")
    }
    guard !rotation.isEmpty else { return try change.reportNothing(keys, console) }
    guard !rotation.added.isEmpty else {
      return try change.report(
        "made a next key in \(path), which had none; the active one stays until devices have it", keys,
        console)
    }
    try change.report("rotated \(path)", keys, console)
  }
}
