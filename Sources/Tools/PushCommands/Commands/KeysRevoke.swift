import PushCore
import PushKeys

extension Command {
  static let keysRevoke = Command(
    name: ["keys", "revoke"], summary: "destroy a key immediately, for example a stolen one",
    details: """
      Use it for a key that somebody else may have. A thief of the file has all of its keys, also the next one and
      the accepted ones: --all destroys them all. To replace any other key, use keys rotate; keys prune
      destroys the old key after it expires. Pushes that were made with the destroyed key and are still in
      transit are lost; the command prints until when.

      An active key is replaced: a device's by a new key, and a sender's by the next key, which devices trust
      if they received the previous public set. Prints the new public JWK Set. Distribute it immediately:
      until then, others seal to the destroyed key, or trust it. For shared keys nothing is printed: copy the
      file to the other side.

      If this system's libraries do not have an active key's suite, they cannot make its replacement, and the
      key cannot be revoked here: revoke it on a system that has the suite.
      """,
    examples: [
      """
      sealpush keys revoke --keys device.jwks --kid=NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs \\
          --out device.pub.jwks --force
      """,
      "sealpush keys revoke --keys sender.jwks --all --out sender.pub.jwks --force",
    ],
    options: [
      .keys,
      .optional(.kid, "the key, by its name in keys list; --kid=NAME if it begins with -"),
      .flag(.all, "every key in the file, in place of --kid"),
      .output, .force,
      .flag(.dryRun, "change nothing; print what would be lost and what the file would contain"),
      .now,
    ] + Parameter.passphrase
  ) { (arguments, console) throws(ToolError) in
    let path = try arguments.required(.keys)
    let kid = try arguments[.kid]
    guard (kid == nil) == arguments.has(.all) else {
      throw .usage("give either \(Option.kid) NAME or \(Flag.all)", hint: arguments.page)
    }
    let now = try arguments.now()
    let change = KeyChange(path: path, parsing: arguments)
    let (revocations, keys) = try change.make { (editor) throws(KeySetError) -> [Revocation] in
      guard let kid else { return try editor.revokeAll(at: now) }
      return [try editor.revoke(kid, at: now)]
    }
    for revocation in revocations {
      let (verb, key) = (change.isDryRun ? "would destroy" : "destroyed", revocation.record)
      console.note("\(verb) \(key.id.text), \(key.life.status.rawValue)")
      RevocationText.report(revocation, console: console)
    }
    try change.report("changed \(path)", keys: keys, console: console)
  }
}
