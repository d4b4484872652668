import PushCore
import PushKeys

extension Command {
  static let keysRevoke = Command(
    name: ["keys", "revoke"], summary: "destroy a key immediately, for example a stolen one",
    details: """
      Pushes that were made with the key and are still in transit are lost; the command prints until when. Use it
      for a key that somebody else may have. Any other key should be replaced with rotate, and destroyed by prune
      after it expires. An active key is replaced by a new one; a sender's by the next key, which devices have if
      they received the previous public set. Prints the new public JWK Set: distribute it immediately, because
      until then others seal to the destroyed key, or trust it. For shared keys nothing is printed: copy the file
      to the other side.
      An active key cannot be revoked if this system's libraries do not have its suite, because they cannot make
      its replacement: revoke it on a system that has the suite.
      """,
    examples: [
      """
      sealpush keys revoke --keys device.jwks --kid=NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs \\
          --out device.pub.jwks --force
      """
    ],
    options: [
      .keys,
      .required(.kid, "the key, by its name in keys list; --kid=NAME if it begins with -"),
      .output, .force,
      .flag(.dryRun, "change nothing; print what would be lost and what the file would contain"),
      .now,
    ] + Parameter.passphrase
  ) { (arguments, console) throws(ToolError) in
    let path = try arguments.required(.keys)
    let kid = try arguments.required(.kid)
    let now = try arguments.now()
    let change = KeyChange(path: path, parsing: arguments)
    let (revocation, keys) = try change.make { (editor) throws(KeySetError) -> Revocation in
      try editor.revoke(kid, at: now)
    }
    let verb = change.isDryRun ? "would destroy" : "destroyed"
    console.note("\(verb) \(kid.text), \(revocation.record.life.status.rawValue)")
    RevocationText.report(revocation, console: console)
    try change.report("changed \(path)", keys: keys, console: console)
  }
}
