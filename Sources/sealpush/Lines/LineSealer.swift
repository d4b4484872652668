import PushAttachments
import PushEnvelope
import PushKeys
import PushPayload
import PushSealer

/// Seals lines, one at a time, wherever it is called from.
struct LineSealer: Sendable {
  let sealer: Sealer
  let attachments: [AttachmentDescriptor]
  let recipients: RecipientFile?
  /// Whom a line is for that does not say it.
  let recipient: Recipient?
  let suite: Suite?
  /// How long a message is good for whose line does not say it.
  let lifetime: Lifetime
  /// The time to act at; null for the clock's.
  let time: UnixTime?

  /// What became of a chunk.
  struct Sealed: Sendable {
    /// Lines of output, in order.
    var output: [UInt8] = []
    /// What was not sealed, in order.
    var failures: [(line: Int, error: LineError)] = []
    /// The number of its last line.
    var lastNumber: Int
    /// How many lines it had.
    var lineCount: Int
  }

  func seal(_ chunk: LineChunk) -> Sealed {
    let count = chunk.lines.count
    var sealed = Sealed(lastNumber: chunk.firstNumber + count - 1, lineCount: count)
    for (index, line) in chunk.lines.enumerated() {
      let number = chunk.firstNumber + index
      do throws(LineError) {
        guard case .whole(let text) = line else {
          throw LineError("line-too-long", "longer than \(LineInput.maximumLineSize) bytes")
        }
        sealed.output += try seal(text, number)
      } catch {
        sealed.failures.append((number, error))
      }
    }
    return sealed
  }

  private func seal(_ text: [UInt8], _ number: Int) throws(LineError) -> [UInt8] {
    let line = try SealLine(parsing: text)
    let now = time ?? .now
    let (recipient, device) = try find(line.target, now)
    let push: SealedPush
    do throws(SealError) {
      push = try sealer.seal(
        payload: line.payload, attachments: attachments, to: recipient,
        messageID: line.messageID ?? .random(), at: now, lifetime: line.lifetime ?? lifetime)
    } catch {
      throw LineError(error)
    }
    return encode(push, device, number)
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
      throw LineError("unknown-recipient", "no such device in the file of recipients")
    }
    guard [nil, sealer.topic].contains(device.topic) else {
      throw LineError("other-topic", "the device enrolled for another app")
    }
    return device
  }

  /// The line of output: the payload is in it as it is, so that an APNs client can cut it out.
  private func encode(_ push: SealedPush, _ device: EnrolledDevice?, _ number: Int) -> [UInt8] {
    var head: JSONObject = ["line": .number(JSONNumber(number))]
    if let device { head["device_token"] = .string(device.token.text) }
    if let environment = device?.environment { head["environment"] = .string(environment.rawValue) }
    var headers = JSONObject()
    for (name, value) in push.headers.fields { headers[name] = .string(value) }
    head["headers"] = .object(headers)
    return head.encoded().dropLast() + Array(#","payload":"#.utf8) + push.payload + Array("}\n".utf8)
  }
}
