import PushCore
import PushKeys

extension Command {
  static let keysPrune = Command(
    name: ["keys", "prune"], summary: "destroy expired keys",
    details: "Only accepted keys expire. Prints the names of the destroyed keys, one per line.",
    examples: [
      "sealpush keys prune --keys device.jwks --quiet"
    ],
    options: [
      .keys, .flag(.dryRun, "change nothing; print what would be destroyed"), .now,
    ] + Parameter.passphrase
  ) { (arguments, console) throws(ToolError) in
    let path = try arguments.required(.keys)
    let now = try arguments.now()
    let change = KeyChange(path: path, parsing: arguments)
    let (destroyed, _) = try change.make { (editor) throws(KeySetError) in editor.prune(at: now) }
    for key in destroyed { try console.print(key.text + "\n") }
    let verb = change.isDryRun ? "would destroy" : "destroyed"
    console.note("\(verb) \(destroyed.count) key\(destroyed.count == 1 ? "" : "s")")
  }
}
