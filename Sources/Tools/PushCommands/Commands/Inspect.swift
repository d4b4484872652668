import PushCore
import PushKeys
import PushSealer

extension Command {
  static let inspect = Command(
    name: ["inspect"], summary: "show what is in a sealed payload, without a key",
    details: """
      Shows the version, the suite, whether it is quantum-resistant, the key ID and how the bytes are used,
      with a drawing. Quantum-resistant means that a quantum computer cannot open messages that are recorded
      today; it could still forge a signature. With --keys it also shows how much is padding, but not who
      signed the message: use open for that. With --capacity it reads no input, and prints the longest body
      that fits.

      With --push-type fcm or fcm-data it reads an FCM message, or its "data"; the names and the values count
      towards FCM's limit.

      A payload without a SealedPush envelope may have another system's, as listed in open --format --help.
      Then the command shows the format, the members that it is in, what is visible without a key, and what
      the format lacks.
      """,
    examples: [
      "sealpush inspect --in sealed.json",
      "sealpush inspect --capacity",
    ],
    options: [
      .input, .json, .envelopeKey,
      .flag(.capacity, "print the longest body, in bytes of ASCII, for each suite"),
      .keySource(
        .keys, "the device's private key file, to see the padding; needs --topic", isRequired: false),
      .keyDescriptor(.keys),
      .optional(.topic, "the app's bundle ID; it takes no space in the payload")
        .configurable(.with(.keys), .without(.capacity)),
      .optional(.pushType, "which limit applies: alert (default), background, voip, fcm or fcm-data")
        .offering(["alert", "background", "voip", "fcm", "fcm-data"]),
      .optional(.title, "the visible title that --capacity assumes"),
      .optional(.body, "the visible body that --capacity assumes"),
    ] + Parameter.passphrase
  ) { (arguments, console) throws(ToolError) in
    if arguments.has(.capacity) {
      _ = try arguments[.topic]
      let rows = try CapacityTable.rows(
        policy: try SealingPolicy(from: arguments), over: try arguments[.pushType]?.service ?? .apns)
      return try console.print(
        arguments.has(.json) ? CapacityTable.json(of: rows) : CapacityTable.text(of: rows))
    }
    let (limit, service) = (
      try SealingPolicy(from: arguments).pushType.limit, try arguments[.pushType]?.service ?? .apns
    )
    let (bytes, envelopeKey) = (try FileInput.read(from: arguments[.input]), try arguments.envelopeKey())
    if let anatomy = ForeignAnatomy(of: bytes, limit: limit, envelopeKey: envelopeKey) {
      guard try KeySource(from: arguments, option: .keys) == nil else {
        throw ToolError(
          .badData, "these keys do not open the envelope, which is in the format \(anatomy.format)",
          hint: "leave out --keys")
      }
      return try console.print(arguments.has(.json) ? anatomy.json : anatomy.text)
    }
    let anatomy = try Anatomy(
      of: bytes, limit: limit, envelopeKey: envelopeKey, over: service
    ) { (envelope) throws(ToolError) in try padding(of: envelope, arguments: arguments) }
    try console.print(arguments.has(.json) ? anatomy.json : anatomy.text)
  }

  /// How many bytes of padding the plaintext has; nil without a key file.
  private static func padding(of envelope: Envelope, arguments: Arguments) throws(ToolError) -> Int? {
    guard let source = try KeySource(from: arguments, option: .keys) else { return nil }
    guard let topic = try arguments[.topic] else { throw .usage("\(Option.keys) needs \(Option.topic)") }
    guard
      let key = try Keys.load(from: source, passphrase: arguments.passphrase).deviceKey(
        for: envelope.keyID, at: .now)
    else {
      throw ToolError(.badData, "\(source.name) does not have the key, or the key has expired")
    }
    guard let content = key.content(of: envelope, for: topic) else {
      throw ToolError(.badData, "the envelope does not open with \(source.name) and that topic")
    }
    return envelope.ciphertext.count - Envelope.tagSize - content.minimumSize + 1
  }
}

extension Flag {
  fileprivate static let capacity = Flag("--capacity")
}
