import PushCore
import PushKeys

extension Command {
  static let keysRotate = Command(
    name: ["keys", "rotate"], summary: "replace the active keys with new ones",
    details: """
      The old keys stay accepted for the grace period, because APNs may hold a push for 30 days. Prints the
      new public JWK Set: distribute it. Until a backend has it, the backend seals to the device's old key; if
      that takes days, choose a longer grace period. The file is replaced atomically.

      A sender's file also has a next key, which the previous public set already contains. It becomes the
      active key and signs immediately, and a new next key is made for the next rotation. Devices trust it if
      they received the previous set: to find out, run keys doctor --senders first. If the sender has no next
      key, keys rotate only makes one.

      A sender's next key must be seven days old, because younger keys may not have reached all phones; until
      then, the exit status is 75. --again rotates nevertheless: phones that lack the key show the
      placeholder. To replace a stolen key, use keys revoke, which does not wait.

      For shared keys nothing is printed: copy the file first to the side that opens, then to the side that
      seals.

      A key is kept if this system's libraries do not have its suite; the command says so.

      With --if-older-than, younger keys are kept, so you can run the command as often as you like. If all
      keys are kept, nothing changes, and --out FILE is written only if it is missing or has another set.
      """,
    examples: [
      "sealpush keys rotate --keys device.jwks --if-older-than 30d --out device.pub.jwks --force --quiet"
    ],
    options: [
      .keys,
      .optional(.ifOlderThan, "replace only keys older than this, such as 30d"),
      .grace, .flag(.again, "rotate a sender's key even if its next key is younger than seven days"),
      .flag(.unconfirmed, "keep the old keys until keys confirm"), .output, .force,
      .flag(.dryRun, "change nothing; list what the file would contain, with sample keys"), .now,
    ] + Parameter.passphrase
  ) { (arguments, console) throws(ToolError) in
    let path = try arguments.required(.keys)
    guard !arguments.has(.unconfirmed) || !arguments.isGiven(.grace) else {
      throw .usage("\(Flag.unconfirmed) takes no \(Option.grace): give it to keys confirm")
    }
    let grace = arguments.has(.unconfirmed) ? nil : try arguments[.grace] ?? KeySetEditor.minimumGrace
    let age = try arguments[.ifOlderThan]
    let again = arguments.has(.again)
    let now = try arguments.now()
    let change = KeyChange(path: path, parsing: arguments)
    let (rotation, keys) = try change.make { (editor) throws(KeySetError) -> Rotation in
      guard let age else { return try editor.rotate(grace: grace, again: again, at: now) }
      return try editor.rotate(ifOlderThan: age, grace: grace, again: again, at: now)
    }
    for record in rotation.kept {
      let seconds = max(0, record.life.age(at: now))
      let isDue = age.map { .seconds(seconds) >= $0 } ?? true
      if isDue, let suite = record.algorithm.suite, !suite.isAvailable {
        console.warn(
          "kept \(record.id.text): this system's libraries do not have \(suite.name); rotate it where they do"
        )
      } else {
        console.note("kept \(record.id.text), which is \(seconds / 86_400) days old")
      }
    }
    guard !rotation.isEmpty else { return try change.reportNothing(keys: keys, console: console) }
    guard !rotation.added.isEmpty else {
      return try change.report(
        "made a next key in \(path), which had none; the active key stays until devices have the next one",
        keys: keys,
        console: console)
    }
    try change.report("rotated \(path)", keys: keys, console: console)
  }
}

extension Option<Duration> {
  fileprivate static var ifOlderThan: Self { .duration("--if-older-than") }
}

extension Flag {
  fileprivate static let again = Flag("--again")
  fileprivate static let unconfirmed = Flag("--unconfirmed")
}
