import PushEnvelope
import PushKeys
import PushPayload
import PushSealer

extension Command {
  static let inspect = Command(
    name: ["inspect"], summary: "take a sealed payload apart, without a key",
    details: """
      Says the version, the suite, the key id and how the bytes are spent, and draws it. With --keys it also
      tells the content from its padding, but says nothing of who signed: open does. With --capacity it reads
      nothing and says the longest body that fits.

      A payload without such an envelope may have another system's, as open --help lists them: it says which, in
      which members, what the format shows of it, and what the format lacks.
      """,
    options: [
      .input, .json, .envelopeKey,
      .flag("--capacity", "print the longest body, in bytes of ASCII, for each suite"),
      .optional(
        "--keys", "FILE", "the device's private key file, to see the padding; needs --topic", file: .input),
      .optional("--topic", "ID", "the app's bundle id; it takes no room"),
      .optional("--push-type", "TYPE", "the limit to hold it against: alert (default), background or voip"),
      .optional("--title", "TEXT", "the visible title that capacity reckons with"),
    ] + Option.passphrase
  ) { (arguments, console) throws(ToolError) in
    if arguments.has("--capacity") {
      if arguments["--topic"] != nil { _ = try arguments.topic() }
      let rows = try CapacityTable.rows(policy: try SealingPolicy(arguments))
      return try console.print(arguments.has("--json") ? CapacityTable.json(rows) : CapacityTable.text(rows))
    }
    let limit = try SealingPolicy(arguments).pushType.limit
    let (bytes, envelopeKey) = (try FileInput.read(arguments["--in"]), try arguments.envelopeKey())
    if let anatomy = ForeignAnatomy(bytes, limit: limit, envelopeKey: envelopeKey) {
      guard arguments["--keys"] == nil else {
        throw ToolError(.badData, "\(anatomy.format) is not for these keys", hint: "leave out --keys")
      }
      return try console.print(arguments.has("--json") ? anatomy.json : anatomy.text)
    }
    let anatomy = try Anatomy(
      bytes, limit: limit, envelopeKey: envelopeKey
    ) { (envelope) throws(ToolError) in try padding(of: envelope, arguments) }
    try console.print(arguments.has("--json") ? anatomy.json : anatomy.text)
  }

  /// How many bytes fill the plaintext up; null without a key file.
  private static func padding(of envelope: Envelope, _ arguments: Arguments) throws(ToolError) -> Int? {
    guard let path = arguments["--keys"] else { return nil }
    guard arguments["--topic"] != nil else { throw .usage("--keys needs --topic") }
    let topic = try arguments.topic()
    guard let key = try Keys.load(path, arguments).deviceKey(for: envelope.keyID, at: .now) else {
      throw ToolError(.badData, "\(path) does not have the key, or it has ended")
    }
    guard let content = key.content(of: envelope, for: topic) else {
      throw ToolError(.badData, "the envelope does not open with \(path) and that topic")
    }
    return envelope.ciphertext.count - Envelope.tagSize - content.minimumSize + 1
  }
}
