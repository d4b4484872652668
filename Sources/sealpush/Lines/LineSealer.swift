import PushAttachments
import PushEnvelope
import PushKeys
import PushPayload
import PushSealer

/// A line of input, and its line of output or why there is none.
struct SealedLine: Sendable {
  let input: InputLine
  let output: Result<[UInt8], LineError>
}

/// Seals lines, many together, on whatever thread it is called.
struct LineSealer: Sendable {
  let sealer: Sealer
  let attachments: [AttachmentDescriptor]
  let recipients: RecipientFile?
  /// The recipient of lines that do not name one.
  let recipient: Recipient?
  let suite: Suite?
  /// The lifetime of messages whose line does not give one.
  let lifetime: Lifetime?
  /// The APNs headers of messages whose line does not give them.
  let headers: HeaderOptions
  /// Whether warnings are errors.
  let isStrict: Bool
  /// The time to act at; nil for the clock's.
  let time: UnixTime?

  /// A line that can be sealed.
  private struct Ready {
    let payload: JSONObject
    let job: SealJob
    let device: EnrolledDevice?
  }

  /// Seals lines together; each has its result, in the same order.
  func seal(_ lines: [InputLine]) -> [SealedLine] {
    let ready = lines.map { prepare($0.line) }
    var pushes = sealer.seal(ready.compactMap { try? $0.get().job }).makeIterator()
    return zip(lines, ready).map { line, ready in
      SealedLine(
        input: line,
        output: Result { () throws(LineError) in
          let ready = try ready.get()
          guard let push = pushes.next() else { preconditionFailure("each job has its result") }
          return encode(try checked(push, ready), ready.device, line.number)
        })
    }
  }

  private func prepare(_ line: LineSplitter.Line) -> Result<Ready, LineError> {
    do throws(LineError) {
      guard case .whole(let text) = line else {
        throw LineError("line-too-long", "longer than \(LineInput.maximumLineSize) bytes")
      }
      return .success(try prepare(SealLine(parsing: text)))
    } catch {
      return .failure(error)
    }
  }

  private func prepare(_ line: SealLine) throws(LineError) -> Ready {
    let now = time ?? .now
    let (recipient, device) = try find(line.target, now)
    let lifetime = line.lifetime ?? lifetime
    if let time = line.issuedAt, let fault = IssueTime.fault(of: time, lifetime, sealer.policy, at: now) {
      throw LineError("bad-member", "'issued_at': \(fault)")
    }
    let job = SealJob(
      .payload(line.payload), attachments: attachments, to: recipient,
      messageID: line.messageID ?? .random(), at: line.issuedAt ?? now, lifetime: lifetime,
      headers: HeaderOptions(
        priority: line.headers.priority ?? headers.priority, collapseID: line.headers.collapseID,
        expiration: line.headers.expiration ?? headers.expiration))
    return Ready(payload: line.payload, job: job, device: device)
  }

  /// The sealed push, if nothing is wrong with it.
  private func checked(
    _ result: Result<SealedPush, SealError>, _ ready: Ready
  ) throws(LineError) -> SealedPush {
    let push: SealedPush
    do throws(SealError) {
      push = try result.get()
    } catch {
      throw LineError(error, sealer.policy)
    }
    guard isStrict else { return push }
    let policy = sealer.policy
    let findings =
      Lint(content: ready.payload, pushType: policy.pushType).findings + Lint(push, policy: policy).findings
    if let finding = findings.first { throw LineError("warning", finding.text) }
    return push
  }

  private func find(
    _ target: SealLine.Target?, _ now: UnixTime
  ) throws(LineError) -> (Recipient, EnrolledDevice?) {
    switch target {
    case nil:
      guard let recipient else { throw SealLine.badTarget }
      return (recipient, nil)
    case .keys(let object)?:
      let text = (object["keys"] == nil ? ["keys": [.object(object)]] : object).encoded()
      return (try recipient(now) { () throws(KeySetError) in try PublicKeySet(parsing: text.span) }, nil)
    case .name(let name)?:
      let device = try find(name)
      guard let keys = device.keys else { throw LineError("recipient-refused", "the device has no keys") }
      return (try recipient(now) { keys }, device)
    }
  }

  private func recipient(
    _ now: UnixTime, _ keys: () throws(KeySetError) -> PublicKeySet
  ) throws(LineError) -> Recipient {
    do throws(KeySetError) {
      return try keys().recipient(suite: suite, at: now)
    } catch {
      throw LineError(error)
    }
  }

  private func find(_ name: String) throws(LineError) -> EnrolledDevice {
    guard let recipients else {
      throw LineError("unknown-recipient", "'to' is a name, and there is no --recipients FILE")
    }
    guard let device = recipients.device(named: name) else {
      throw LineError("unknown-recipient", "no such device in the recipients file")
    }
    guard [nil, sealer.topic].contains(device.topic) else {
      throw LineError("other-topic", "the device is enrolled for another app")
    }
    return device
  }

  /// The line of output: the payload is in it as it is, so that an APNs client can cut it out; nothing else in the line
  /// steers a terminal.
  private func encode(_ push: SealedPush, _ device: EnrolledDevice?, _ number: Int) -> [UInt8] {
    var head: JSONObject = ["line": .number(JSONNumber(number))]
    if let device { head["device_token"] = .string(device.token.text) }
    if let environment = device?.environment { head["environment"] = .string(environment.rawValue) }
    var headers = JSONObject()
    for (name, value) in push.headers.fields { headers[name] = .string(value) }
    head["headers"] = .object(headers)
    if !push.cuts.isEmpty { head["cuts"] = .array(push.cuts.map { .object($0.json) }) }
    let start: [UInt8] = Terminal.printable(json: head.encoded()).dropLast()
    return start + Array(#","payload":"#.utf8) + push.payload + Array("}\n".utf8)
  }
}
