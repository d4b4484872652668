internal import PushCommands
internal import PushDelivery
internal import PushCore
internal import PushKeys
internal import PushSealer
private import Synchronization

/// A line's push, with its address.
struct AddressedLine: Deliverable {
  let line: LinePush
  let addressedPush: AddressedPush
}

/// Lines that can be sent; those that cannot are reported as they are met.
struct AddressedLines: AsyncSequence, Sendable {
  typealias Element = AddressedLine
  typealias Failure = ToolError

  let lines: LinePushes
  let topic: Topic
  /// The environment of the lines that name no device.
  let environment: APNsEnvironment
  /// The device token of the lines that name no device.
  let token: DeviceToken?
  let output: SentLines

  func makeAsyncIterator() -> Iterator { Iterator(lines: lines.makeAsyncIterator(), all: self) }

  struct Iterator: AsyncIteratorProtocol {
    fileprivate var lines: LinePushes.Iterator
    fileprivate let all: AddressedLines

    mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(ToolError) -> AddressedLine? {
      while let line = try await lines.next(isolation: actor) {
        do throws(LineError) {
          return AddressedLine(line: line, addressedPush: try all.addressed(line))
        } catch {
          try all.output.write(line, error: error)
        }
      }
      return nil
    }
  }

  private func addressed(_ line: LinePush) throws(LineError) -> AddressedPush {
    guard case .apns(let push) = try line.push.get() else {
      throw LineError("carried-by-fcm", "FCM carries the device's messages: sealpush seal --lines seals them")
    }
    if let address = line.device?.address.apns { return AddressedPush(push, to: address) }
    guard line.isToStandard, let token else {
      throw LineError("no-token", "there is a key to seal to, and no device token")
    }
    return AddressedPush(push, to: DeviceAddress(topic: topic, environment: environment, token: token))
  }
}

/// The output of `send --lines`.
final class SentLines: Sendable {
  private let console: Console
  private struct State {
    var count = 0
    var failures = 0
    /// How each failure alone would end the tool.
    var statuses: Set<ExitStatus> = []
  }

  private let state = Mutex(State())

  init(console: Console) { self.console = console }

  /// What to say at the end; nil if APNs accepted all.
  var error: ToolError? {
    let state = state.withLock(\.self)
    guard state.failures > 0 else { return nil }
    let status: ExitStatus =
      state.statuses.contains(.noPermission)
      ? .noPermission : state.statuses == [.pending] ? .pending : .badData
    return ToolError(status, "\(state.failures) of \(state.count) pushes were not accepted")
  }

  /// Writes why a line was not sealed.
  func write(_ line: LinePush, error: LineError) throws(ToolError) {
    try write(
      line, members: [("error", .string(error.code)), ("message", .string(error.message))], failure: .badData)
  }

  /// Writes APNs' answer, or why there is none.
  func write(_ delivered: Delivered<AddressedLine>) throws(ToolError) {
    let line = delivered.job.line
    switch delivered.result {
    case .success(let response):
      try write(line, members: response.members, failure: response.isAccepted ? nil : response.exitStatus)
    case .failure(let error):
      let members: [(String, JSONValue)] = [
        ("error", .string(error.word)), ("message", .string("\(error)")),
        ("may_be_delivered", .boolean(error.mayBeDelivered)),
      ]
      try write(line, members: members, failure: error.exitStatus)
    }
  }

  private func write(
    _ line: LinePush, members: [(String, JSONValue)], failure: ExitStatus?
  ) throws(ToolError) {
    var object: JSONObject = ["line": .number(JSONNumber(line.line))]
    if let id = line.id { object["id"] = id }
    if let name = line.name { object["device"] = .string(name) }
    if case .apns(let push)? = try? line.push.get() {
      object["message_id"] = push.messageID.map { .string($0) }
    }
    for (name, value) in members { object[name] = value }
    // One line after the other: both what was not sealed and what was answered come here.
    try state.withLock { (state) throws(ToolError) in
      state.count += 1
      if let failure {
        state.failures += 1
        state.statuses.insert(failure)
      }
      try console.print(object.jsonLine)
    }
  }
}

extension APNsResponse {
  fileprivate var members: [(String, JSONValue)] {
    let texts = [("apns_id", id), ("apns_unique_id", uniqueID), ("reason", reason?.rawValue)]
    return [("status", .number(JSONNumber(status))), ("verdict", .string(word))]
      + texts.compactMap { name, text in text.map { (name, .string($0)) } }
      + (milliseconds.map { [("timestamp", .number(JSONNumber($0)))] } ?? [])
      + (mayBeDuplicate ? [("may_be_duplicate", .boolean(true))] : [])
  }
}
