import PushAttachments
import PushEnvelope
import PushKeys
import PushPayload
import PushReceiver
import PushSealer

extension Command {
  static let seal = Command(
    name: ["seal"], summary: "seal an APNs payload to a device",
    details: """
      Reads an ordinary payload, {"aps":{"alert":{"title":…,"body":…}},…}, and writes the sealed one, without
      a line break at its end. The file of --headers has a header a line, as curl -H @FILE takes it. That of
      --attach has what attach seal printed, a descriptor a line, each with the url of the uploaded blob.

      With --lines, each line of input is {"to":…,"payload":{…}}, with "message_id", "lifetime", "priority",
      "collapse_id" and "expiration" if need be, which come before the options. "to" is a public JWK or JWK
      Set, or a device of the file of --recipients: its token, a key's kid or a key id. Each line of that file
      is {"v":1,"topic":…,"environment":…,"token":…,"keys":{…}}. A line without "to" goes to the recipient of
      --to. Each line of output is {"line":N,"headers":{…},"payload":{…}}, in the order of the input, with
      "device_token" and "environment" where they are known, and "cuts" if there are any; the payload is as it
      must be sent, byte for byte. A line that cannot be sealed harms no other; the exit status is then 65.
      Ctrl-C and a full disk leave whole lines, and it says what to --skip; then it replaces no file. After a
      kill the last line may be a part of one, without its line feed.

      With --format it reads a plaintext, exactly as it is, and writes a payload with another system's envelope
      beside the same placeholder. These are the names, and what the file of --secret has, which must be its
      owner's alone:

        openssl-salted     openssl enc -aes-256-cbc; a password, in one line
        webpush-aes128gcm  Web Push behind a relay; a browser's subscription, or its {"p256dh":…,"auth":…}
        sodium-sealed-box  libsodium's crypto_box_seal; the public key in base64
        zulip              Zulip; {"push_key_id":…,"push_key":…}, as the app registered them

      They lack what seal without --format gives: a sender, an expiry, protection from replay. What is written
      as openssl-salted can also be altered on the way: that one is written with --unauthenticated alone.
      """,
    options: ([
      .optional(
        "--to", "FILE", "the device's public JWK Set, or a private file of shared keys", file: .input),
      .flag("--lines", "seal a message a line, in place of one payload to one device"),
      .optional("--recipients", "FILE", "the devices that lines may name", file: .input),
      .optional(
        "--errors", "FILE", "where to write what was not sealed; default: standard error", file: .output),
      .optional("--skip", "N", "pass over so many lines, those that an earlier run has done"),
      .optional("--from", "FILE", "the sender's private key file, which signs", file: .input),
      .flag("--anonymous", "do not sign; devices show such messages only if their app says so"),
      .topic,
      .optional("--attach", "FILE", "the attachments' descriptors, which are sealed too", file: .input),
      .optional("--headers", "FILE", "where to write the APNs headers", file: .output),
      .optional("--lifetime", "TIME", "how long it is good for; default, and most: 30d; 0: now or never"),
      .optional("--message-id", "UUID", "the message's identity, the same when a job is tried again"),
      .optional("--suite", "NAME", "which of the device's keys; default: the preferred one it has"),
      .optional("--padding", "KIND", "buckets (default), maximum or none"),
      .pushType,
      .optional("--visible", "NAMES", "members to leave visible, as thread-id,badge,chat; also sealed"),
      .optional("--drop", "NAMES", "members to leave out while it is too long, as preview,aps.category"),
      .optional("--fit", "KIND", "what to do if it is too long still: reject (default) or truncate the body"),
      .optional("--priority", "N", "apns-priority: 10, 5 or 1; default: the push type's"),
      .optional("--collapse-id", "TEXT", "apns-collapse-id, which is visible; default: the message id"),
      .optional("--expiration", "SECONDS", "apns-expiration, Unix seconds; default: the lifetime's end"),
      .flag("--strict", "do not seal what there is a warning of"),
      .envelopeKey, .now,
    ] + Option.passphrase).map { $0.without("--format") }
      + [
        .input, .output, .force, .optional("--title", "TEXT", "the visible title; default: New notification"),
        .format("write another system's envelope, as listed above"),
      ] + Option.formatSealing
  ) { (arguments, console) throws(ToolError) in
    if let format = try ForeignFormat(arguments, among: ForeignFormat.written) {
      return try seal(format, arguments, console)
    }
    guard !arguments.has("--lines") else {
      for name in ["--headers", "--message-id", "--collapse-id"] where arguments[name] != nil {
        throw .usage("\(name) and --lines exclude each other", hint: "sealpush seal --help")
      }
      return try await SealRequest(arguments).sealLines(arguments, console)
    }
    for name in ["--recipients", "--errors", "--skip"] where arguments[name] != nil {
      throw .usage("\(name) needs --lines")
    }
    try SealRequest(arguments).sealOne(arguments, console)
  }

  private static func seal(
    _ format: ForeignFormat, _ arguments: Arguments, _ console: Console
  ) throws(ToolError) {
    let policy = try SealingPolicy(arguments)
    let write = try format.writer(arguments)
    let plaintext = try FileInput.read(arguments["--in"])
    let members: JSONObject
    do throws(EnvelopeFormatError) {
      members = try write(plaintext)
    } catch {
      throw FormatFailure.describe(error)
    }
    let payload: [UInt8]
    do throws(SealError) {
      payload = try policy.payload(carrying: members)
    } catch {
      guard case .tooLarge(let bytes, let limit) = error else { throw SealFailure.describe(error) }
      throw FormatFailure.tooLarge(bytes: bytes, limit: limit)
    }
    try FileOutput(arguments["--out"], replaces: arguments.has("--force")).write(payload, console)
  }
}

/// What the options of `seal` ask for, whether of one message or of many.
private struct SealRequest {
  private let now: UnixTime
  private let sealer: Sealer
  private let suite: Suite?
  private let lifetime: Lifetime
  private let attachments: [AttachmentDescriptor]
  private let headers: HeaderOptions
  private let isStrict: Bool

  init(_ arguments: Arguments) throws(ToolError) {
    now = try arguments.now()
    lifetime = try arguments.lifetime()
    sealer = try Self.sealer(arguments, at: now)
    suite = try arguments.suite()
    attachments = try Descriptors.forSealing(arguments)
    headers = try HeaderOptions(arguments)
    isStrict = arguments.has("--strict")
  }

  func sealOne(_ arguments: Arguments, _ console: Console) throws(ToolError) {
    let recipient = try recipient(arguments)
    let messageID = try Self.messageID(arguments)
    let payload = try FileInput.payload(arguments["--in"])
    let sealed: SealedPush
    do throws(SealError) {
      sealed = try sealer.seal(
        payload: payload, attachments: attachments, to: recipient, messageID: messageID, at: now,
        lifetime: lifetime, headers: headers)
    } catch {
      throw SealFailure.describe(error)
    }
    try report(sealed, of: payload, console)
    let replaces = arguments.has("--force")
    // Both are checked before one of them is written.
    let output = try FileOutput(arguments["--out"], replaces: replaces)
    if let path = arguments["--headers"] {
      let lines = sealed.headers.fields.map { "\($0.name): \($0.value)\n" }.joined()
      try FileOutput(path, replaces: replaces).write(Array(lines.utf8), console)
    }
    try output.write(sealed.payload, console)
  }

  /// Reports what was cut, and the warnings, which `--strict` turns into an error.
  private func report(
    _ sealed: SealedPush, of payload: JSONObject, _ console: Console
  ) throws(ToolError) {
    for cut in sealed.cuts { console.note("note: \(cut.text)") }
    let findings = Lint(content: payload).findings + Lint(sealed, policy: sealer.policy).findings
    for finding in findings { console.note(finding.text) }
    guard findings.isEmpty || !isStrict else {
      throw ToolError(.badData, "not sealed: --strict lets no warning pass")
    }
  }

  func sealLines(_ arguments: Arguments, _ console: Console) async throws(ToolError) {
    let recipients = try arguments["--recipients"].map { (path) throws(ToolError) in
      do throws(RecipientFileError) {
        return try RecipientFile(path: path)
      } catch {
        throw RecipientFileFailure.describe(error, path)
      }
    }
    let lineSealer = LineSealer(
      sealer: sealer, attachments: attachments, recipients: recipients,
      recipient: arguments["--to"] == nil ? nil : try recipient(arguments), suite: suite, lifetime: lifetime,
      headers: headers, isStrict: isStrict, time: arguments["--now"] == nil ? nil : now)
    var lines = try SealLines(arguments, lineSealer, console)
    try await lines.run()
  }

  private static func sealer(_ arguments: Arguments, at now: UnixTime) throws(ToolError) -> Sealer {
    let topic = try arguments.topic()
    let policy = try SealingPolicy(arguments)
    switch (arguments["--from"], arguments.has("--anonymous")) {
    case (let path?, false):
      let keys = try Keys.load(path, arguments)
      do throws(KeySetError) {
        return Sealer(topic: topic, signingKey: try keys.signingKey(at: now), policy: policy)
      } catch {
        throw KeyFileFailure.describe(.keySet(error), path)
      }
    case (nil, true): return .anonymous(topic: topic, policy: policy)
    default: throw .usage("give either --from FILE or --anonymous")
    }
  }

  private func recipient(_ arguments: Arguments) throws(ToolError) -> Recipient {
    guard let path = arguments["--to"] else {
      throw .usage("--to FILE is missing", hint: "sealpush seal --help")
    }
    return try Keys.recipient(path, suite: suite, at: now, arguments)
  }

  private static func messageID(_ arguments: Arguments) throws(ToolError) -> MessageID {
    guard let text = arguments["--message-id"] else { return .random() }
    guard let messageID = MessageID(text: text) else {
      throw .usage("--message-id is a UUID, such as \(MessageID.random().text)")
    }
    return messageID
  }
}
