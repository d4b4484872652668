import PushKeys
import PushCore
import PushSealer

/// The result of a line for one of its devices.
struct DeviceAnswer: Sendable {
  let device: LineDevice
  let push: Result<SealedNotification, LineError>
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
    case one(SealedNotification, LineDevice)
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
      // The payload is inserted byte for byte, so that an APNs client can cut it out.
      var line = Terminal.printable(json: head.encoded())
      line.removeLast()
      line += #","payload":"#.utf8
      line += push.payload
      line += "}\n".utf8
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
    case .success(let push):
      members =
        device.members + device.suiteMember + push.members
        + [("body", .string(String(decoding: push.payload, as: UTF8.self)))]
    case .failure(let error): members = error.members
    }
    for (name, value) in members { object[name] = value }
    return object
  }
}

extension LineDevice {
  fileprivate var members: [(String, JSONValue)] {
    guard let device else { return [] }
    return [
      ("device_token", .string(device.address.token.text)),
      ("environment", .string(device.address.environment.rawValue)),
    ]
  }

  /// The suite that it was sealed with.
  fileprivate var suiteMember: [(String, JSONValue)] {
    (try? recipient.get()).map { [("suite", .string($0.suite.name))] } ?? []
  }
}

extension SealedNotification {
  fileprivate var members: [(String, JSONValue)] {
    var fields = JSONObject()
    for (name, value) in headers.fields { fields[name] = .string(value) }
    let cuts = JSONValue.array(cuts.map { .object($0.json) })
    return [("headers", .object(fields))] + (self.cuts.isEmpty ? [] : [("cuts", cuts)])
  }
}

extension LineError {
  fileprivate var members: [(String, JSONValue)] {
    [("error", .string(code)), ("message", .string(message))]
  }
}
