/// The peer's messages that are not yet whole, within the limits of their sizes.
struct IncomingMessages {
  private let limits: HTTP2Limits
  private var messages: [Int32: FrameMessage] = [:]
  /// The bytes of all messages.
  private var size = 0

  init(_ limits: HTTP2Limits) { self.limits = limits }

  /// Begins the message on a stream, unless it has begun.
  mutating func begin(on stream: Int32) {
    if messages[stream] == nil { messages[stream] = FrameMessage() }
  }

  /// Adds a field; false if that is too much, which drops the message, or if there is none.
  mutating func add(_ field: HTTPField, on stream: Int32) -> Bool {
    let count = field.name.utf8.count + field.value.utf8.count + 32
    guard let fieldSize = messages[stream]?.fieldSize, fieldSize + count <= limits.headerListSize,
      size + count <= limits.connectionSize
    else {
      _ = take(stream)
      return false
    }
    size += count
    messages[stream]?.fieldSize += count
    messages[stream]?.fields.append(field)
    return true
  }

  /// Adds a part of a body, which without a message is ignored; false if that is too much, which drops the message.
  mutating func add(_ bytes: UnsafeBufferPointer<UInt8>, on stream: Int32) -> Bool {
    guard let bodySize = messages[stream]?.body.count else { return true }
    guard bodySize + bytes.count <= limits.bodySize, size + bytes.count <= limits.connectionSize else {
      _ = take(stream)
      return false
    }
    size += bytes.count
    unsafe messages[stream]?.body.append(contentsOf: bytes)
    return true
  }

  /// Drops the fields of an informational answer, which another one follows (RFC 9113, 8.1); their size still counts.
  mutating func dropInformational(on stream: Int32) {
    if let status = messages[stream]?.fields.first, status.name == ":status", status.value.hasPrefix("1") {
      messages[stream]?.fields = []
    }
  }

  /// Takes the message on a stream, whole or not.
  mutating func take(_ stream: Int32) -> FrameMessage? {
    let message = messages.removeValue(forKey: stream)
    size -= message?.size ?? 0
    return message
  }
}

/// A message of the peer's.
struct FrameMessage {
  fileprivate(set) var fields: [HTTPField] = []
  fileprivate(set) var body: [UInt8] = []
  fileprivate var fieldSize = 0

  fileprivate var size: Int { fieldSize + body.count }
}
