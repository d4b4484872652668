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
      a line break at the end. The --headers file gets one header per line, as curl -H @FILE expects. The
      --attach file contains what attach seal printed, one descriptor per line, each with the url of the
      uploaded blob.

      A device's key for xwing-aesgcm is preferred if this system's libraries have that suite. With --post-quantum
      required, nothing is sealed to a device that has no such key (and no shared key).

      Without --lifetime, alert, background and complication are valid for 30 days, liveactivity for 12 hours, voip
      for a minute, and pushtotalk only now.

      With --lines, each line of input is {"to":…,"payload":{…}}, optionally with "message_id", "issued_at",
      "lifetime", "priority", "collapse_id" and "expiration", which override the options, and "id", a string or
      number that the answer repeats. "to" is a public JWK or JWK Set, or a device in the --recipients file: by its
      registration's name or, if the devices have none, by its token, a key's kid or a key ID. Each line of that
      file is what keys accept stores, or {"v":1,"topic":…,"environment":…,"token":…,"keys":{…}}. Lines without
      "to" go to the --to recipient. The file is read again when it has been replaced, and on SIGHUP.
      Each line of output is {"line":N,"suite":…,"headers":{…},"payload":{…}}, in input order, with "device_token"
      and "environment" if known, and "cuts" if anything was cut; send the payload byte for byte.
      If "to" is an array of devices, or {"person":…}, each device gets its own message id, and the line of output
      is {"line":N,"pushes":[…]}: for each device {"device":…,"suite":…,"headers":{…},"body":"…"} or
      {"device":…,"error":…,"message":…}; body is the payload as a text.
      A line that cannot be sealed does not affect the others; the exit status is then 65. With --errors, it is
      {"line":N,"error":…,"message":…} there. Ctrl-C and a full disk leave only whole lines, and the message tells
      what to --skip to resume; files are never replaced then. If the process is killed, the last line may be
      incomplete, without a line feed.
      """,
    otherDetails: """
      With --format it reads any plaintext, and writes a payload with another system's envelope and the same
      placeholder. These are the names, and what the --secret file contains; only its owner may have access to
      it:

        openssl-salted     openssl enc -aes-256-cbc; a password, on one line
        webpush-aes128gcm  Web Push through a relay; a browser's subscription, or its {"p256dh":…,"auth":…}
        sodium-sealed-box  libsodium's crypto_box_seal; the public key in base64
        zulip              Zulip; {"push_key_id":…,"push_key":…}, as the app registered them

      These formats lack what seal provides without --format: sender authentication, an expiry, replay
      protection. openssl-salted messages can also be altered in transit, so that format needs
      --unauthenticated.
      """,
    examples: [
      """
      sealpush seal --to device.pub.jwks --from sender.jwks --topic com.example.app \\
          --in payload.json --out sealed.json --headers headers.txt --force
      """,
      """
      sealpush seal --lines --recipients registrations --from sender.jwks --topic com.example.app \\
          --in jobs.jsonl --out sealed.jsonl --errors errors.jsonl
      """,
      "sealpush seal --format openssl-salted --secret password --unauthenticated --in text --out salted.json",
    ],
    options: ([
      .optional(
        "--to", "FILE", "the device's public JWK Set, or a private file of shared keys", file: .input),
      .flag("--lines", "seal one message per line, instead of one payload to one device"),
      .optional("--recipients", "FILE", "the devices that lines can name", file: .input),
      // It may be the output; LineOutput.Rule checks that it is no other file of the command.
      .optional(
        "--errors", "FILE|-",
        "where to report lines that were not sealed; - is the output; default: standard error"),
      .optional("--skip", "N", "skip the first N lines, which an earlier run has sealed"),
      .keySource("--from", "the sender's private key file, to sign with", isRequired: false)
        .configurable(.without(["--anonymous"])),
      .keyDescriptor("--from"),
      .flag("--anonymous", "do not sign; devices show such messages only if the app accepts them"),
      .topic,
      .optional("--attach", "FILE|-", "the attachments' descriptors, to be sealed too", file: .input),
      .optional("--headers", "FILE", "where to write the APNs headers", file: .output),
      .optional(
        "--lifetime", "TIME", "how long it is valid, at most 30d; default: as below; 0: deliver now or never"),
      .optional("--message-id", "UUID", "the message's identity; reuse it when you retry a job"),
      .optional("--issued-at", "SECONDS", "when it was first issued; reuse it, too; default: now"),
      .optional("--suite", "NAME", "which of the device's keys to use; default: the preferred suite"),
      .optional(
        "--post-quantum", "POLICY",
        "preferred (default), or required: only suites that a quantum computer cannot open"
      ).configurable(),
      .optional("--padding", "KIND", "buckets (default), maximum or none"),
      .pushType,
      .optional("--visible", "NAMES", "members to leave visible, such as thread-id,badge,chat; also sealed"),
      .optional("--drop", "NAMES", "members to drop if it is too long, such as preview,aps.category"),
      .optional("--fit", "KIND", "what to do if it is still too long: reject (default) or truncate the body"),
      .optional("--priority", "N", "apns-priority: 10, 5 or 1; default: the push type's"),
      .optional("--collapse-id", "TEXT", "apns-collapse-id, which is visible; default: the message id"),
      .optional("--expiration", "SECONDS", "apns-expiration, Unix seconds; default: the lifetime's end"),
      .flag("--strict", "treat warnings as errors: seal nothing"),
      .envelopeKey, .now,
    ] + Option.passphrase).map { $0.without("--format") }
      + [
        .input, .output, .force, .optional("--title", "TEXT", "the visible title; default: New notification"),
        .format("write another system's envelope: seal --format --help explains it"),
      ] + Option.formatSealing
  ) { (arguments, console) throws(ToolError) in
    if let format = try ForeignFormat(arguments, among: ForeignFormat.written) {
      return try seal(format, arguments, console)
    }
    guard !arguments.has("--lines") else {
      for name in ["--headers", "--message-id", "--issued-at", "--collapse-id"] where arguments[name] != nil {
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
    try FileOutput(arguments["--out"], replaces: arguments.has("--force")).write(
      payload, as: .json, console)
  }
}

/// What the options of `seal` ask for, whether of one message or of many.
private struct SealRequest {
  private let now: UnixTime
  private let sealer: Sealer
  private let suite: Suite?
  private let lifetime: Lifetime?
  private let attachments: [AttachmentDescriptor]
  private let headers: HeaderOptions
  private let isStrict: Bool

  init(_ arguments: Arguments) throws(ToolError) {
    now = try arguments.now()
    lifetime = try arguments.lifetime()
    sealer = try Self.sealer(arguments, at: now)
    suite = try arguments.suite()
    try suite?.checkAvailability()
    attachments = try Descriptors.forSealing(arguments)
    headers = try HeaderOptions(arguments)
    isStrict = arguments.has("--strict")
  }

  func sealOne(_ arguments: Arguments, _ console: Console) throws(ToolError) {
    let recipient = try recipient(arguments, console)
    let messageID = try Self.messageID(arguments)
    let issuedAt = try issuedAt(arguments)
    let payload = try FileInput.payload(arguments["--in"])
    let sealed: SealedPush
    do throws(SealError) {
      sealed = try sealer.seal(
        payload: payload, attachments: attachments, to: recipient, messageID: messageID, at: issuedAt,
        lifetime: lifetime, headers: headers)
    } catch {
      throw SealFailure.describe(error, policy: sealer.policy)
    }
    try report(sealed, of: payload, console)
    let replaces = arguments.has("--force")
    // Both are checked before one of them is written.
    let output = try FileOutput(arguments["--out"], replaces: replaces)
    if let path = arguments["--headers"] {
      let lines = sealed.headers.fields.map { "\($0.name): \($0.value)\n" }.joined()
      try FileOutput(path, replaces: replaces).write(
        Array(lines.utf8), as: .text, console)
    }
    try output.write(sealed.payload, as: .json, console)
  }

  /// Reports what was cut, and the warnings, which `--strict` turns into an error.
  private func report(
    _ sealed: SealedPush, of payload: JSONObject, _ console: Console
  ) throws(ToolError) {
    for cut in sealed.cuts { console.warn("note: \(cut.text)") }
    let policy = sealer.policy
    let findings =
      Lint(content: payload, pushType: policy.pushType).findings + Lint(sealed, policy: policy).findings
    for finding in findings { console.warn(finding.text) }
    guard findings.isEmpty || !isStrict else {
      throw ToolError(.badData, "not sealed: --strict treats warnings as errors")
    }
  }

  func sealLines(_ arguments: Arguments, _ console: Console) async throws(ToolError) {
    let recipients = try arguments["--recipients"].map { (path) throws(ToolError) in
      try LineRecipients(path: path, console)
    }
    let lineSealer = LineSealer(
      sealer: sealer, attachments: attachments, recipients: recipients,
      recipient: arguments["--to"] == nil ? nil : try recipient(arguments, console), suite: suite,
      lifetime: lifetime,
      headers: headers, isStrict: isStrict, time: arguments["--now"] == nil ? nil : now)
    var lines = try SealLines(arguments, lineSealer, console)
    try await lines.run()
  }

  private static func sealer(_ arguments: Arguments, at now: UnixTime) throws(ToolError) -> Sealer {
    let topic = try arguments.topic()
    let policy = try SealingPolicy(arguments)
    switch (try KeySource(arguments, "--from"), arguments.has("--anonymous")) {
    case (let source?, false):
      let keys = try Keys.load(source, arguments)
      guard keys.role == .sender else {
        throw KeyFileFailure.wrongRole(keys.role, source.name, needed: "a sender's")
      }
      do throws(KeySetError) {
        return Sealer(topic: topic, signingKey: try keys.signingKey(at: now), policy: policy)
      } catch {
        throw KeyFileFailure.describe(error, source.name)
      }
    case (nil, true): return .anonymous(topic: topic, policy: policy)
    default: throw .usage("give either --from FILE or --anonymous")
    }
  }

  private func recipient(_ arguments: Arguments, _ console: Console) throws(ToolError) -> Recipient {
    guard let path = arguments["--to"] else {
      throw .usage("--to FILE is missing", hint: "sealpush seal --help")
    }
    let recipient = try Keys.recipient(path, suite: suite, sealer.policy.postQuantum, at: now, arguments)
    if suite == nil, !recipient.suite.isQuantumResistant, !Suite.xwingAESGCM.isAvailable,
      (try? Keys.loadPublic(path))?.offers(.xwingAESGCM) == true
    {
      // With --quiet too: nobody is downgraded silently.
      console.warn(
        "sealing with \(recipient.suite.name): this system's libraries lack the xwing-aesgcm of \(path)")
    }
    return recipient
  }

  private func issuedAt(_ arguments: Arguments) throws(ToolError) -> UnixTime {
    guard let time = try arguments.time("--issued-at") else { return now }
    if let fault = IssueTime.fault(of: time, lifetime, sealer.policy, at: now) {
      throw ToolError(.badData, "not sealed: --issued-at: \(fault)")
    }
    return time
  }

  private static func messageID(_ arguments: Arguments) throws(ToolError) -> MessageID {
    guard let text = arguments["--message-id"] else { return .random() }
    guard let messageID = try? MessageID(text) else {
      throw .usage("--message-id is a UUID, such as \(MessageID.random().text)")
    }
    return messageID
  }
}
