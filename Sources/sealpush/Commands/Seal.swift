import PushEnvelope
import PushKeys
import PushPayload
import PushSealer

extension Command {
  static let seal = Command(
    name: ["seal"], summary: "seal an APNs payload to a device",
    details: """
      Reads an ordinary payload, {"aps":{"alert":{"title":…,"body":…}},…}, and writes the sealed one, without
      a line break at its end. The file of --headers has a header a line, as curl -H @FILE takes it. That of
      --attach has what attach seal printed, a descriptor a line, each with the url of the uploaded blob.
      """,
    options: [
      .required("--to", "FILE", "the device's public JWK Set"),
      .optional("--from", "FILE", "the sender's private key file, which signs"),
      .flag("--anonymous", "do not sign; devices show such messages only if their app says so"),
      .topic, .input, .output,
      .optional("--attach", "FILE", "the attachments' descriptors, which are sealed too"),
      .optional("--headers", "FILE", "where to write the APNs headers"),
      .optional("--lifetime", "TIME", "how long it is good for; default, and most: 30d; 0: now or never"),
      .optional("--message-id", "UUID", "the message's identity, the same when a job is tried again"),
      .optional("--suite", "NAME", "which of the device's keys; default: the preferred one it has"),
      .optional("--title", "TEXT", "the visible title; default: New notification"),
      .optional("--padding", "KIND", "buckets (default), maximum or none"),
      .optional("--push-type", "TYPE", "alert (default), background or voip"),
      .envelopeKey, .now, .force,
    ]
  ) { (arguments, console) throws(ToolError) in
    let (now, lifetime) = (try arguments.now(), try arguments.lifetime())
    let sealer = try makeSealer(arguments, at: now)
    let recipient = try readRecipient(arguments, at: now)
    let messageID = try readMessageID(arguments)
    let attachments = try Descriptors.forSealing(arguments)
    let payload = try Payloads.read(arguments["--in"])
    let sealed: SealedPush
    do throws(SealError) {
      sealed = try sealer.seal(
        payload: payload, attachments: attachments, to: recipient, messageID: messageID, at: now,
        lifetime: lifetime)
    } catch {
      throw SealFailure.describe(error)
    }
    let replaces = arguments.has("--force")
    try FileOutput.check(arguments["--out"], replaces: replaces)
    if let path = arguments["--headers"] {
      let lines = sealed.headers.fields.map { "\($0.name): \($0.value)\n" }.joined()
      try FileOutput.write(Array(lines.utf8), to: path, replaces: replaces, console)
    }
    try FileOutput.write(sealed.payload, to: arguments["--out"], replaces: replaces, console)
  }

  private static func makeSealer(_ arguments: Arguments, at now: UnixTime) throws(ToolError) -> Sealer {
    let topic = try arguments.topic()
    let policy = try SealingPolicy(arguments)
    switch (arguments["--from"], arguments.has("--anonymous")) {
    case (let path?, false):
      let keys = try Keys.load(path)
      do throws(KeySetError) {
        return Sealer(topic: topic, signingKey: try keys.signingKey(at: now), policy: policy)
      } catch {
        throw Keys.describe(.keySet(error), path)
      }
    case (nil, true): return .anonymous(topic: topic, policy: policy)
    default: throw .usage("give either --from FILE or --anonymous")
    }
  }

  private static func readRecipient(_ arguments: Arguments, at now: UnixTime) throws(ToolError) -> Recipient {
    let path = try arguments.required("--to")
    let keys = try Keys.loadPublic(path)
    let suite = try arguments.suite()
    do throws(KeySetError) {
      return try keys.recipient(suite: suite, at: now)
    } catch {
      throw Keys.describe(.keySet(error), path)
    }
  }

  private static func readMessageID(_ arguments: Arguments) throws(ToolError) -> MessageID {
    guard let text = arguments["--message-id"] else { return .random() }
    guard let messageID = MessageID(text: text) else {
      throw .usage("--message-id is a UUID, such as \(MessageID.random().text)")
    }
    return messageID
  }
}
