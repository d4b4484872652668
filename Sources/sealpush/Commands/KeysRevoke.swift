import PushEnvelope
import PushKeys

extension Command {
  static let keysRevoke = Command(
    name: ["keys", "revoke"], summary: "destroy a key at once, as one that was stolen",
    details: """
      What was made with the key and is still on the way is lost; it says until when that can be. Use it for a
      key that somebody else may have; any other is replaced by rotate, and destroyed by prune after its end. A
      new one takes an active key's place; of a sender the next one, which devices have if they got the public
      set before. Prints the new public JWK Set: hand it out at once, because until then others seal to the
      destroyed key, or trust it. Of shared keys nothing is printed: copy the file to the other side.
      """,
    options: [
      .keys, .required("--kid", "NAME", "the key, by its name in keys list; --kid=NAME if it begins with -"),
      .output, .force,
      .flag("--dry-run", "change nothing; say what would be lost, list what the file would hold"),
      .now,
    ] + Option.passphrase
  ) { (arguments, console) throws(ToolError) in
    let path = try arguments.required("--keys")
    guard let kid = try arguments.kid() else { throw .usage("--kid NAME is missing") }
    let now = try arguments.now()
    let change = KeyChange(path, arguments)
    let (revocation, keys) = try change.make { (editor) throws(KeySetError) -> Revocation in
      try editor.revoke(kid, at: now)
    }
    let verb = change.isDryRun ? "would destroy" : "destroyed"
    console.note("\(verb) \(kid.text), \(revocation.record.life.status.rawValue)")
    console.note(RevocationText.loss(revocation))
    try change.report("changed \(path)", keys, console)
  }
}
