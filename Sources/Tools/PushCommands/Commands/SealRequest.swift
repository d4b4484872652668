import PushAttachments
import PushCore
import PushEnrolment
import PushKeys
package import PushSealer

/// What the options of `seal` ask for, whether of one message or of many.
package struct SealRequest {
  private let now: UnixTime
  private let sealer: Sealer
  private let suite: Suite?
  private let lifetime: Lifetime?
  private let attachments: [AttachmentDescriptor]
  private let headers: HeaderOptions
  private let isStrict: Bool

  /// Reads the options, and the keys to sign with.
  package init(from arguments: Arguments) throws(ToolError) {
    now = try arguments.now()
    lifetime = try arguments[.lifetime]
    sealer = try Self.sealer(from: arguments, at: now)
    suite = try arguments[.suite]
    try suite?.checkAvailability()
    attachments = try Descriptors.forSealing(from: arguments)
    headers = try HeaderOptions(from: arguments)
    isStrict = arguments.has(.strict)
  }

  func sealOne(arguments: Arguments, console: Console) throws(ToolError) {
    let sealed = try seal(
      arguments: arguments, to: try recipient(arguments: arguments, console: console), console: console)
    let replaces = arguments.has(.force)
    // Both are checked before one of them is written.
    let output = try FileOutput(path: arguments[.output], replaces: replaces)
    if let path = arguments[.headers] {
      let lines = sealed.headers.fields.map { "\($0.name): \($0.value)\n" }.joined()
      try FileOutput(path: path, replaces: replaces).write(
        Array(lines.utf8), as: .text, console: console)
    }
    try output.write(sealed.payload, as: .json, console: console)
  }

  /// Seals the payload of the input, and says what is to be said of it.
  package func seal(
    arguments: Arguments, to recipient: Recipient, console: Console
  ) throws(ToolError) -> SealedPush {
    let messageID = try Self.messageID(from: arguments)
    let issuedAt = try issuedAt(from: arguments)
    let payload = try FileInput.payload(from: arguments[.input])
    let sealed: SealedPush
    do throws(SealError) {
      sealed = try sealer.seal(
        payload: payload, attachments: attachments, to: recipient, messageID: messageID, at: issuedAt,
        lifetime: lifetime, headers: headers)
    } catch {
      throw SealFailure.describe(error, policy: sealer.policy)
    }
    try report(sealed, of: payload, console: console)
    return sealed
  }

  /// Reports what was cut, and the warnings, which `--strict` turns into an error.
  private func report(
    _ sealed: SealedPush, of payload: JSONObject, console: Console
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

  func sealLines(arguments: Arguments, console: Console) async throws(ToolError) {
    var lines = try SealLines(
      from: arguments, sealer: try lineSealer(arguments: arguments, console: console), console: console)
    try await lines.run()
  }

  /// What seals lines as the options say.
  func lineSealer(arguments: Arguments, console: Console) throws(ToolError) -> LineSealer {
    let recipients = try arguments[.recipients].map { (path) throws(ToolError) in
      try LineRecipients(path: path, console: console)
    }
    return LineSealer(
      sealer: sealer, attachments: attachments, recipients: recipients,
      recipient: arguments[.to] == nil ? nil : try recipient(arguments: arguments, console: console),
      suite: suite,
      lifetime: lifetime,
      headers: headers, isStrict: isStrict, time: arguments.isGiven(.now) ? now : nil)
  }

  /// A device of the `--recipients` file, with what to seal to it.
  package func device(
    named name: String, arguments: Arguments
  ) throws(ToolError) -> (device: EnrolledDevice, recipient: Recipient) {
    let path = try arguments.file(.recipients)
    let file: RecipientFile
    do throws(RecipientFileError) { file = try RecipientFile(path: path) } catch {
      throw RecipientFileFailure.describe(error)
    }
    let directory = LineDirectory(
      file: file, standard: nil, topic: sealer.topic, suite: suite, policy: sealer.policy.postQuantum)
    do throws(LineError) {
      let found = try directory.devices(of: .device(.name(name)), at: now)
      let recipient = try found[0].recipient.get()
      guard let device = found[0].device else { preconditionFailure("a device that was found is there") }
      return (device, recipient)
    } catch {
      throw ToolError(.badData, "\(name): \(error.message)")
    }
  }

  private static func sealer(from arguments: Arguments, at now: UnixTime) throws(ToolError) -> Sealer {
    let topic = try arguments.required(.topic)
    let policy = try SealingPolicy(from: arguments)
    switch (try KeySource(from: arguments, option: .from), arguments.has(.anonymous)) {
    case (let source?, false):
      let key = try SenderKeys(source: source, arguments: arguments).load(at: now).active
      return Sealer(topic: topic, signingKey: key, policy: policy)
    case (nil, true): return .anonymous(topic: topic, policy: policy)
    default: throw .usage("give either --from FILE or --anonymous")
    }
  }

  /// The recipient of `--to`.
  package func recipient(arguments: Arguments, console: Console) throws(ToolError) -> Recipient {
    guard let path = arguments[.to] else {
      throw .usage("--to FILE is missing", hint: "sealpush seal --help")
    }
    let recipient = try Keys.recipient(
      from: path, suite: suite, under: sealer.policy.postQuantum, at: now, arguments: arguments)
    if suite == nil, !recipient.suite.isQuantumResistant, !Suite.xwingAESGCM.isAvailable,
      (try? Keys.loadPublic(from: path))?.offers(.xwingAESGCM) == true
    {
      // With --quiet too: nobody is downgraded silently.
      console.warn(
        "sealing with \(recipient.suite.name): this system's libraries lack the xwing-aesgcm of \(path)")
    }
    return recipient
  }

  private func issuedAt(from arguments: Arguments) throws(ToolError) -> UnixTime {
    guard let time = try arguments[.issuedAt] else { return now }
    if let fault = IssueTime.fault(of: time, lifetime: lifetime, under: sealer.policy, at: now) {
      throw ToolError(.badData, "not sealed: --issued-at: \(fault)")
    }
    return time
  }

  private static func messageID(from arguments: Arguments) throws(ToolError) -> MessageID {
    try arguments[.messageID] ?? .random()
  }
}
