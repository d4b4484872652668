import PushAttachments
import PushCore
import PushKeys
import PushSealer

/// A line of input, and its answer.
struct SealedLine: Sendable {
  let input: InputLine
  let answer: LineAnswer
}

/// Seals lines, many together, on the caller's thread.
struct LineSealer: Sendable {
  let sealer: Sealer
  let attachments: [AttachmentDescriptor]
  let recipients: LineRecipients?
  /// The recipient of lines that name none.
  let recipient: Recipient?
  /// The service that carries the messages to devices without a registration.
  let service: PushService
  let suite: Suite?
  /// The lifetime of messages whose line does not give one.
  let lifetime: Lifetime?
  /// The APNs headers of messages whose line does not give them.
  let headers: HeaderOptions
  /// Whether warnings are errors.
  let isStrict: Bool
  /// The time to act at; nil for the clock's time.
  let time: UnixTime?

  /// A message with its one device, or with the devices that it fans out to.
  private struct Message {
    let payload: JSONObject
    let devices: [(device: LineDevice, job: Result<ServiceJob, LineError>)]
    let isFannedOut: Bool
  }

  /// A parsed line: its message, or why it has none.
  private struct Prepared {
    let id: JSONValue?
    let message: Result<Message, LineError>

    var jobs: [ServiceJob] { (try? message.get())?.devices.compactMap { try? $0.job.get() } ?? [] }
  }

  /// Seals lines together, and answers them in the same order.
  func seal(_ lines: [InputLine]) -> [SealedLine] {
    let directory = LineDirectory(
      file: recipients?.current(), standard: recipient, sealer: sealer, suite: suite)
    let prepared = lines.map { prepare($0.line, directory: directory) }
    var pushes = sealer.seal(prepared.flatMap(\.jobs)).makeIterator()
    return zip(lines, prepared).map { line, prepared in
      let result = Result { () throws(LineError) in try answer(to: prepared.message.get(), from: &pushes) }
      return SealedLine(
        input: line, answer: LineAnswer(line: line.number, id: prepared.id, result: result))
    }
  }

  private func prepare(_ line: LineSplitter.Line, directory: LineDirectory) -> Prepared {
    var id: JSONValue?
    do throws(LineError) {
      guard case .whole(let text) = line else {
        throw LineError("line-too-long", "longer than \(LineInput.maximumLineSize) bytes")
      }
      let object = try SealLine.object(parsing: text)
      id = try SealLine.id(of: object)
      return Prepared(
        id: id, message: .success(try message(for: SealLine(parsing: object), directory: directory)))
    } catch {
      return Prepared(id: id, message: .failure(error))
    }
  }

  private func message(for line: SealLine, directory: LineDirectory) throws(LineError) -> Message {
    let now = time ?? .now
    let devices = try directory.devices(of: line.target, at: now)
    let lifetime = line.lifetime ?? lifetime
    if let time = line.issuedAt,
      let fault = IssueTime.fault(of: time, lifetime: lifetime, under: sealer.policy, at: now)
    {
      throw LineError("bad-member", "'issued_at': \(fault)")
    }
    let headers = HeaderOptions(
      priority: line.headers.priority ?? headers.priority, collapseID: line.headers.collapseID,
      expiration: line.headers.expiration ?? headers.expiration)
    let messageID = line.messageID ?? .random()
    return Message(
      payload: line.payload,
      devices: devices.map { device in
        let job = device.recipient.map { recipient in
          let content = SealJob.Content.payload(line.payload)
          let job = SealJob(
            content, attachments: attachments, to: recipient, account: device.device?.account,
            // Nobody in transit must learn that several devices get the same message.
            messageID: line.isFannedOut ? messageID.derived(for: recipient.thumbprint) : messageID,
            at: line.issuedAt ?? now, lifetime: lifetime,
            headers: line.isFannedOut ? headers.placing(content, on: recipient.thumbprint) : headers)
          return ServiceJob(job, over: device.device?.address.service ?? service)
        }
        return (device, job)
      }, isFannedOut: line.isFannedOut)
  }

  /// The answer to a message, whose pushes come next in `pushes`.
  private func answer(
    to message: Message, from pushes: inout IndexingIterator<[Result<SealedMessage, SealError>]>
  ) throws(LineError) -> LineAnswer.Sealed {
    var answers: [DeviceAnswer] = []
    for (device, job) in message.devices {
      let push = Result { () throws(LineError) in
        _ = try job.get()
        guard let push = pushes.next() else { preconditionFailure("each job has its result") }
        return try checked(push, of: message.payload)
      }
      answers.append(DeviceAnswer(device: device, push: push))
    }
    guard !message.isFannedOut, let only = answers.first else { return .several(answers) }
    return .one(try only.push.get(), only.device)
  }

  /// The sealed push; an error if sealing failed or, with `--strict`, if there is a warning.
  private func checked(
    _ result: Result<SealedMessage, SealError>, of payload: JSONObject
  ) throws(LineError) -> SealedMessage {
    let push: SealedMessage
    do throws(SealError) {
      push = try result.get()
    } catch {
      throw LineError(error, under: sealer.policy)
    }
    guard isStrict else { return push }
    let policy = sealer.policy
    let findings =
      Lint(content: payload, pushType: policy.pushType).findings + push.findings(under: policy)
    if let finding = findings.first { throw LineError("warning", finding.text) }
    return push
  }
}

extension SealedMessage {
  /// What the sender should review.
  fileprivate func findings(under policy: SealingPolicy) -> [Lint.Finding] {
    switch self {
    case .apns(let push): Lint(push, policy: policy).findings
    case .fcm(let message): Lint(message).findings
    }
  }
}
