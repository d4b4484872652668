import PushAttachments
import PushCore
package import PushEnrolment
import PushKeys
package import PushSealer

/// A request, with the sender's key and the attachments that it names.
package struct PreparedSealing {
  let request: SealRequest
  private let now: UnixTime
  private let sealer: Sealer
  private let attachments: [AttachmentDescriptor]

  /// Loads the sender's key and the attachments; recipients are loaded later.
  package init(of request: SealRequest) throws(ToolError) {
    self.request = request
    now = request.time ?? .now
    sealer =
      if let keys = request.senderKeys {
        Sealer(
          topic: request.topic, applicationID: request.applicationID,
          signingKey: try keys.load(at: now).active, policy: request.policy)
      } else {
        .anonymous(topic: request.topic, applicationID: request.applicationID, policy: request.policy)
      }
    try request.suite?.checkAvailability()
    attachments = try Descriptors.forSealing(from: request.attachments)
  }

  /// The recipient of `--to`.
  package func recipient(console: Console) throws(ToolError) -> Recipient {
    guard let path = request.recipient else {
      throw .usage("\(Option.to) FILE is missing", hint: "sealpush seal --help")
    }
    let recipient = try Keys.recipient(
      from: path, suite: request.suite, under: sealer.policy.postQuantum, at: now,
      passphrase: request.passphrase)
    if request.suite == nil, !recipient.suite.isQuantumResistant, !Suite.xwingAESGCM.isAvailable,
      (try? Keys.loadPublic(from: path))?.offers(.xwingAESGCM) == true
    {
      // Even with --quiet: no downgrade is silent.
      console.warn(
        "sealing with \(recipient.suite.name): \(path) has a key for xwing-aesgcm, which this system's libraries lack"
      )
    }
    return recipient
  }

  /// A device of a file of registrations or recipients, with what to seal to it.
  package func device(
    named name: String, in path: String
  ) throws(ToolError) -> (device: EnrolledDevice, recipient: Recipient) {
    let file: RecipientFile
    do throws(RecipientFileError) { file = try RecipientFile(path: path, services: PushService.every) } catch
    {
      throw RecipientFileFailure.describe(error)
    }
    let directory = LineDirectory(file: file, standard: nil, sealer: sealer, suite: request.suite)
    do throws(LineError) {
      let found = try directory.devices(of: .device(.name(name)), at: now)
      let recipient = try found[0].recipient.get()
      guard let device = found[0].device else { preconditionFailure("a device that was found is there") }
      return (device, recipient)
    } catch {
      throw ToolError(.badData, "\(name): \(error.message)")
    }
  }

  /// Seals the payload of the input for APNs, and reports what was cut, and the warnings.
  ///
  /// `account` is the tag of the device's account, unless an option names another.
  package func seal(
    to recipient: Recipient, account: AccountTag? = nil, console: Console
  ) throws(ToolError) -> SealedNotification {
    let (job, payload) = try job(to: recipient, account: account)
    let sealed = try describing { () throws(SealError) in try sealer.seal(job) }
    try report(sealed.cuts, Lint(sealed, policy: sealer.policy), of: payload, console: console)
    return sealed
  }

  /// Seals the payload of the input for FCM, and reports what was cut, and the warnings.
  private func sealForFCM(to recipient: Recipient, console: Console) throws(ToolError) -> SealedDataMessage {
    let (job, payload) = try job(to: recipient, account: nil)
    let sealed = try describing { () throws(SealError) in try sealer.sealForFCM(job) }
    try report(sealed.cuts, Lint(sealed), of: payload, console: console)
    return sealed
  }

  /// The job that the request describes, and its payload.
  private func job(
    to recipient: Recipient, account: AccountTag?
  ) throws(ToolError) -> (job: SealJob, payload: JSONObject) {
    let issuedAt = try issuedAt()
    let payload = try FileInput.payload(from: request.input)
    let job = SealJob(
      .payload(payload), attachments: attachments, to: recipient, account: request.account ?? account,
      messageID: request.messageID ?? .random(), at: issuedAt, lifetime: request.lifetime,
      headers: request.headers)
    return (job, payload)
  }

  private func describing<Sealed>(_ seal: () throws(SealError) -> Sealed) throws(ToolError) -> Sealed {
    do throws(SealError) {
      return try seal()
    } catch {
      throw SealFailure.describe(error, policy: sealer.policy)
    }
  }

  private func issuedAt() throws(ToolError) -> UnixTime {
    guard let time = request.issuedAt else { return now }
    if let fault = IssueTime.fault(of: time, lifetime: request.lifetime, under: sealer.policy, at: now) {
      throw ToolError(.badData, "not sealed: \(Option.issuedAt): \(fault)")
    }
    return time
  }

  /// Reports what was cut, and the warnings, which `--strict` turns into an error.
  private func report(
    _ cuts: [Cut], _ lint: Lint, of payload: JSONObject, console: Console
  ) throws(ToolError) {
    for cut in cuts { console.warn("note: \(cut.text)") }
    let findings = Lint(content: payload, pushType: sealer.policy.pushType).findings + lint.findings
    for finding in findings { console.warn(finding.text) }
    guard findings.isEmpty || !request.isStrict else {
      throw ToolError(.badData, "not sealed: \(Flag.strict) treats warnings as errors")
    }
  }

  /// Seals the payload of the input, and writes it.
  func sealOne(to destination: SealDestination, console: Console) throws(ToolError) {
    let recipient = try recipient(console: console)
    guard request.service == .apns else {
      let sealed = try sealForFCM(to: recipient, console: console)
      return try FileOutput(path: destination.output, replaces: destination.isForced).write(
        destination.isBare ? sealed.data : sealed.request(), as: .json, console: console)
    }
    let sealed = try seal(to: recipient, console: console)
    // Both are checked before one of them is written.
    let output = try FileOutput(path: destination.output, replaces: destination.isForced)
    if let path = destination.headers {
      let lines = sealed.headers.fields.map { "\($0.name): \($0.value)\n" }.joined()
      try FileOutput(path: path, replaces: destination.isForced).write(
        Array(lines.utf8), as: .text, console: console)
    }
    try output.write(sealed.payload, as: .json, console: console)
  }

  /// Makes what seals lines as the request says; without `--now`, each line is sealed at its own time.
  func lineSealer(console: Console) throws(ToolError) -> LineSealer {
    let recipients = try request.recipients.map { (path) throws(ToolError) in
      try LineRecipients(path: path, console: console)
    }
    return LineSealer(
      sealer: sealer, attachments: attachments, recipients: recipients,
      recipient: request.recipient == nil ? nil : try recipient(console: console),
      service: request.service, suite: request.suite, lifetime: request.lifetime, headers: request.headers,
      isStrict: request.isStrict, time: request.time)
  }
}
