import PushKeys
import PushCore
import PushSealer

/// The result of a line for one of its devices.
struct DeviceAnswer: Sendable {
  let device: LineDevice
  let push: Result<SealedMessage, LineError>
}

/// The result of a line.
struct LineAnswer: Sendable {
  /// The line's number.
  let line: Int
  /// What the line has under "id".
  let id: JSONValue?
  let result: Result<Sealed, LineError>

  enum Sealed: Sendable {
    /// Sealed to the one device that the line names.
    case one(SealedMessage, LineDevice)
    /// Sealed, or not, to each device of an array or a person.
    case several([DeviceAnswer])
  }

  /// Why the line was not sealed.
  var error: LineError? {
    guard case .failure(let error) = result else { return nil }
    return error
  }

  /// The devices to which a valid line was not sealed.
  var failures: [(device: String, error: LineError)] {
    guard case .success(.several(let answers)) = result else { return [] }
    return answers.enumerated().compactMap { index, answer in
      guard case .failure(let error) = answer.push else { return nil }
      return (answer.device.name ?? "device \(index + 1)", error)
    }
  }

  /// The answer as a line of JSON; only a payload in it can steer a terminal.
  func encoded() -> [UInt8] {
    var head: JSONObject = ["line": .number(JSONNumber(line))]
    if let id { head["id"] = id }
    switch result {
    case .failure(let error):
      for (name, value) in error.members { head[name] = value }
      return Array(head.jsonLine.utf8)
    case .success(.several(let answers)):
      head["pushes"] = .array(answers.map { .object($0.members) })
      return Array(head.jsonLine.utf8)
    case .success(.one(let push, let device)):
      for (name, value) in device.members + device.suiteMember + push.members { head[name] = value }
      var line = Terminal.printable(json: head.encoded())
      line.removeLast()
      switch push {
      case .apns(let push):
        // The payload is inserted byte for byte, so that an APNs client can cut it out.
        line += #","payload":"#.utf8
        line += push.payload
        line += "}".utf8
      case .fcm(let message):
        // The request is an object of one member, and ends the line's own.
        line += ",".utf8
        line += message.request(to: device.tokenOfFCM).dropFirst()
      }
      line += "\n".utf8
      return line
    }
  }
}

extension DeviceAnswer {
  /// The members of the JSON object; the payload is a string, because few programs reproduce JSON byte for byte.
  fileprivate var members: JSONObject {
    var object = JSONObject()
    if let name = device.name { object["device"] = .string(name) }
    let members: [(String, JSONValue)]
    switch push {
    case .success(let push): members = device.members + device.suiteMember + push.members + body(of: push)
    case .failure(let error): members = error.members
    }
    for (name, value) in members { object[name] = value }
    return object
  }

  /// What is sent: to APNs as a string, to FCM as the member of its request.
  private func body(of push: SealedMessage) -> [(String, JSONValue)] {
    switch push {
    case .apns(let push): [("body", .string(String(decoding: push.payload, as: UTF8.self)))]
    case .fcm(let message): [("message", .object(message.message(to: device.tokenOfFCM)))]
    }
  }
}

extension LineDevice {
  fileprivate var members: [(String, JSONValue)] {
    switch device?.address {
    case nil: []
    case .apns(let address):
      [
        ("device_token", .string(address.token.text)),
        ("environment", .string(address.environment.rawValue)),
      ]
    case .fcm(let address):
      [("service", .string(PushService.fcm.rawValue)), ("device_token", .string(address.token.text))]
    }
  }

  /// The token that FCM's message names, if it is known.
  fileprivate var tokenOfFCM: FCMToken? {
    guard case .fcm(let address)? = device?.address else { return nil }
    return address.token
  }

  /// The suite that it was sealed with.
  fileprivate var suiteMember: [(String, JSONValue)] {
    (try? recipient.get()).map { [("suite", .string($0.suite.name))] } ?? []
  }
}

extension SealedMessage {
  fileprivate var members: [(String, JSONValue)] {
    switch self {
    case .apns(let push):
      var fields = JSONObject()
      for (name, value) in push.headers.fields { fields[name] = .string(value) }
      return [("headers", .object(fields))] + Self.members(of: push.cuts)
    case .fcm(let message): return Self.members(of: message.cuts)
    }
  }

  private static func members(of cuts: [Cut]) -> [(String, JSONValue)] {
    cuts.isEmpty ? [] : [("cuts", .array(cuts.map { .object($0.json) }))]
  }
}

extension LineError {
  fileprivate var members: [(String, JSONValue)] {
    [("error", .string(code)), ("message", .string(message))]
  }
}
