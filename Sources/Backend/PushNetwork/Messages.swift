/// A header field.
package struct HTTPField: Hashable, Sendable {
  /// The name, in lowercase.
  package let name: String

  /// The value.
  package let value: String

  /// Whether the value is kept out of descriptions, and out of compression (HPACK) on this connection and on others that
  /// forward it.
  package let isSecret: Bool

  /// Makes a field; `authorization` is always secret.
  package init(name: String, value: String, isSecret: Bool = false) {
    self.name = name
    self.value = value
    self.isSecret = isSecret || name == "authorization"
  }
}

extension HTTPField: CustomStringConvertible, CustomReflectable {
  /// The name, and the value unless it is secret.
  package var description: String { "\(name): \(isSecret ? "(secret)" : value)" }

  package var customMirror: Mirror { Mirror(self, children: []) }
}

/// A request, with its whole body in memory.
package struct HTTP2Request: Sendable {
  /// The method, such as `POST`.
  package let method: String

  /// The path with its query; it is kept out of compression, because it may have a device's token.
  package let path: String

  /// The fields, without HTTP/2's pseudo-headers, and without those in ``common``.
  package let fields: [HTTPField]

  /// Fields that other requests have as well, which come last; nil if there are none.
  package let common: CommonFields?

  /// The body.
  package let body: [UInt8]

  /// Makes a request.
  package init(
    method: String = "POST", path: String, fields: [HTTPField] = [], common: CommonFields? = nil,
    body: [UInt8] = []
  ) {
    self.method = method
    self.path = path
    self.fields = fields
    self.common = common
    self.body = body
  }
}

/// Fields that many requests have, checked and laid out once.
package final class CommonFields: Sendable {
  /// The fields.
  package let fields: [HTTPField]

  /// The fields for nghttp2; nil if they have a byte that is not allowed, or are too large.
  let block: FieldBlock?

  /// Lays out fields.
  package init(_ fields: [HTTPField]) {
    self.fields = fields
    block = FieldBlock(checking: fields)
  }
}

/// Keeps the provider's token out of dumps.
extension CommonFields: CustomReflectable {
  package var customMirror: Mirror { Mirror(self, children: []) }
}

extension HTTP2Request: CustomStringConvertible, CustomReflectable {
  /// The method, the fields' names and the body's size; not the path, which may have a device's token.
  package var description: String {
    muteDescription(method: method, fields: fields + (common?.fields ?? []), body: body)
  }

  package var customMirror: Mirror { Mirror(self, children: []) }
}

/// The description of a request, without the parts that may be secret.
func muteDescription(method: String, fields: [HTTPField], body: [UInt8]) -> String {
  "\(method) with [\(fields.map(\.name).joined(separator: ", "))] and a body of \(body.count) bytes"
}

/// An answer, with its whole body in memory.
package struct HTTP2Response: Hashable, Sendable {
  /// The status, 200 to 999.
  package let status: Int

  /// The fields.
  package let fields: [HTTPField]

  /// The body.
  package let body: [UInt8]

  /// Makes an answer.
  package init(status: Int, fields: [HTTPField] = [], body: [UInt8] = []) {
    self.status = status
    self.fields = fields
    self.body = body
  }

  /// The value of the first field with this name.
  package subscript(name: String) -> String? { fields.first { $0.name == name }?.value }

  init?(_ message: FrameMessage) {
    guard let status = message.fields.first, status.name == ":status", let status = Int(status.value) else {
      return nil
    }
    var fields = message.takeFields()
    fields.removeFirst()
    self.init(status: status, fields: fields, body: message.body)
  }
}

/// The limits of what a peer may make this side hold and do.
package struct HTTP2Limits: Sendable {
  /// The most bytes of all fields that arrive on a stream: names, values, and 32 for each field (RFC 9113, 6.5.2).
  package var headerListSize = 16 << 10

  /// The most bytes of a message's body.
  package var bodySize = 64 << 10

  /// The most bytes of all incomplete messages of a connection, counted like their fields and bodies.
  package var connectionSize = 8 << 20

  /// The most requests at a time: the limit that a server announces, and a client's own limit below the server's.
  package var concurrentStreams = 1000

  /// The most frames, other than those of requests and answers, that a peer may send within a second.
  package var controlFrames = 1000

  /// The most frames that wait for a peer that does not read.
  package var queuedFrames = 8192

  /// How many streams a client may reset, at first and then each second (CVE-2023-44487).
  package var resets: (burst: Int, perSecond: Int) = (1000, 33)

  /// The most frames that continue a header block.
  package var continuations = 8

  /// The most connections to a server at a time.
  package var connections = 256

  /// How long a client may be connected without a request when all connections are open, and another needs one.
  package var silentTimeWhenFull = Duration.milliseconds(100)

  /// The limits that suit APNs, on both sides.
  package init() {}
}
