import PushEnvelope
import PushPayload
import PushSealer

extension Command {
  static let inspect = Command(
    name: ["inspect"], summary: "take a sealed payload apart, without a key",
    details: """
      Says the version, the suite, the key id and how the bytes are spent. With --capacity it reads nothing and
      says the longest body that fits.
      """,
    options: [
      .input, .json, .envelopeKey,
      .flag("--capacity", "print the longest body, in bytes of ASCII, for each suite"),
      .optional("--topic", "ID", "the app's bundle id; it takes no room"),
      .optional("--push-type", "TYPE", "the limit to hold it against: alert (default), background or voip"),
      .optional("--title", "TEXT", "the visible title that capacity reckons with"),
    ]
  ) { (arguments, console) throws(ToolError) in
    if arguments.has("--capacity") {
      if arguments["--topic"] != nil { _ = try arguments.topic() }
      let rows = try CapacityTable.rows(policy: try SealingPolicy(arguments))
      return try console.print(arguments.has("--json") ? CapacityTable.json(rows) : CapacityTable.text(rows))
    }
    let anatomy = try Anatomy(
      try FileInput.read(arguments["--in"]), limit: try SealingPolicy(arguments).pushType.limit,
      envelopeKey: try arguments.envelopeKey())
    try console.print(arguments.has("--json") ? anatomy.json : anatomy.text)
  }
}
