/// The peer's incomplete messages, within the limits of their sizes.
struct IncomingMessages {
  private let limits: HTTP2Limits
  /// The message of the last part: most often the next part belongs to it too.
  private var current: (stream: Int32, message: FrameMessage)?
  private var others: [Int32: FrameMessage] = [:]
  /// The bytes of all messages.
  private var size = 0

  init(limits: HTTP2Limits) { self.limits = limits }

  /// Begins the message on a stream, unless it has begun.
  mutating func begin(on stream: Int32) {
    if turn(to: stream) == nil { replaceCurrent(with: FrameMessage(), on: stream) }
  }

  /// Adds a field; false if there is no message, or if it gets too large, which drops it.
  mutating func add(_ field: HTTPField, on stream: Int32) -> Bool {
    let count = field.name.utf8.count + field.value.utf8.count + 32
    guard let message = turn(to: stream), message.fieldSize + count <= limits.headerListSize,
      size + count <= limits.connectionSize
    else {
      _ = take(on: stream)
      return false
    }
    size += count
    message.fieldSize += count
    message.fields.append(field)
    return true
  }

  /// Adds a part of a body, which is ignored without a message; false if the message gets too large, which drops it.
  mutating func add(_ bytes: UnsafeBufferPointer<UInt8>, on stream: Int32) -> Bool {
    guard let message = turn(to: stream) else { return true }
    guard message.body.count + bytes.count <= limits.bodySize, size + bytes.count <= limits.connectionSize
    else {
      _ = take(on: stream)
      return false
    }
    size += bytes.count
    unsafe message.body.append(contentsOf: bytes)
    return true
  }

  /// Drops the fields of an informational answer, which another one follows (RFC 9113, 8.1); their size still counts.
  mutating func dropInformational(on stream: Int32) {
    guard let message = turn(to: stream), let status = message.fields.first else { return }
    if status.name == ":status", status.value.hasPrefix("1") { message.fields = [] }
  }

  /// Takes the message on a stream, complete or not.
  mutating func take(on stream: Int32) -> FrameMessage? {
    guard let message = turn(to: stream) else { return nil }
    current = nil
    size -= message.size
    return message
  }

  /// Makes the message on a stream the current one, and returns it; nil if it has not begun.
  private mutating func turn(to stream: Int32) -> FrameMessage? {
    if let current, current.stream == stream { return current.message }
    guard !others.isEmpty, let message = others.removeValue(forKey: stream) else { return nil }
    replaceCurrent(with: message, on: stream)
    return message
  }

  private mutating func replaceCurrent(with message: FrameMessage, on stream: Int32) {
    if let current { others[current.stream] = current.message }
    current = (stream, message)
  }
}

/// A message from the peer.
final class FrameMessage {
  fileprivate(set) var fields: [HTTPField] = []
  fileprivate(set) var body: [UInt8] = []
  fileprivate var fieldSize = 0

  fileprivate init() { fields.reserveCapacity(8) }

  fileprivate var size: Int { fieldSize + body.count }

  /// Takes the fields.
  func takeFields() -> [HTTPField] {
    defer { fields = [] }
    return fields
  }
}
