import PushCore
import PushEnrolment
import PushKeys
import PushSealer

/// One of the devices that a line is for.
struct LineDevice: Sendable {
  /// Its name in the line or in the file; nil if the line contains its keys.
  let name: String?
  /// What the file says about it.
  var device: EnrolledDevice?
  /// What to seal to, or why that is impossible.
  let recipient: Result<Recipient, LineError>
  /// Whether it is the recipient of `--to`, because the line names none.
  var isStandard = false
}

/// Finds the devices that lines name.
struct LineDirectory: Sendable {
  /// How many devices one line can have at most.
  static let maximumCount = 64

  let file: RecipientFile?
  /// The recipient of lines that name none.
  let standard: Recipient?
  let sealer: Sealer
  let suite: Suite?

  /// The devices of a line, at least one.
  func devices(of target: SealLine.Target?, at now: UnixTime) throws(LineError) -> [LineDevice] {
    switch target {
    case nil:
      guard let standard else {
        throw LineError("bad-member", "there is neither 'to' nor --to FILE")
      }
      return [LineDevice(name: nil, recipient: .success(standard), isStandard: true)]
    case .device(let device): return [find(device, at: now)]
    case .devices(let devices):
      try Self.check(count: devices.count)
      return Self.withoutRepetition(devices.map { find($0, at: now) })
    case .person(let person):
      let devices = try self.file(for: "a person").devices(of: person).filter { isOfThisApp($0) }
      guard !devices.isEmpty else {
        throw LineError("unknown-recipient", "no device of this person in the recipients file")
      }
      try Self.check(count: devices.count)
      return devices.map { lineDevice(named: $0.registration ?? $0.address.token.text, device: $0, at: now) }
    }
  }

  private static func check(count: Int) throws(LineError) {
    guard count <= maximumCount else {
      throw LineError("too-many-recipients", "\(count) devices: a line has at most \(maximumCount)")
    }
  }

  /// The devices without duplicate keys: two messages to one key would have the same ID.
  private static func withoutRepetition(_ devices: [LineDevice]) -> [LineDevice] {
    var known: Set<Thumbprint> = []
    return devices.map { device in
      guard let recipient = try? device.recipient.get(), !known.insert(recipient.thumbprint).inserted else {
        return device
      }
      return LineDevice(
        name: device.name, device: device.device,
        recipient: .failure(LineError("duplicate-recipient", "'to' has this device twice")))
    }
  }

  private func find(_ target: SealLine.Device, at now: UnixTime) -> LineDevice {
    switch target {
    case .keys(let object):
      let text = (object["keys"] == nil ? ["keys": [.object(object)]] : object).encoded()
      let recipient = recipient(at: now) { () throws(KeySetError) in try PublicKeySet(parsing: text.span) }
      return LineDevice(name: nil, recipient: recipient)
    case .name(let name):
      do throws(LineError) {
        guard let device = try file(for: "a name").device(named: name) else {
          throw LineError("unknown-recipient", "no such device in the recipients file")
        }
        return lineDevice(named: name, device: device, at: now)
      } catch {
        return LineDevice(name: name, recipient: .failure(error))
      }
    }
  }

  private func file(for what: String) throws(LineError) -> RecipientFile {
    guard let file else {
      throw LineError("unknown-recipient", "'to' is \(what), and there is no --recipients FILE")
    }
    return file
  }

  private func lineDevice(named name: String, device: EnrolledDevice, at now: UnixTime) -> LineDevice {
    let recipient: Result<Recipient, LineError>
    if !isOfThisApp(device) {
      recipient = .failure(LineError("other-topic", "the device is enrolled for another app"))
    } else if let keys = device.keys {
      recipient = self.recipient(at: now) { keys }
    } else {
      recipient = .failure(LineError("recipient-refused", "the device has not proven its key and its token"))
    }
    return LineDevice(name: name, device: device, recipient: recipient)
  }

  private func isOfThisApp(_ device: EnrolledDevice) -> Bool { sealer.serves(device.address) }

  private func recipient(
    at now: UnixTime, keys: () throws(KeySetError) -> PublicKeySet
  ) -> Result<Recipient, LineError> {
    do throws(KeySetError) {
      return .success(try keys().recipient(suite: suite, under: sealer.policy.postQuantum, at: now))
    } catch {
      return .failure(LineError(error))
    }
  }
}
