/// A complete request that a server received.
package struct HTTP2ServerRequest: Sendable {
  /// The method.
  package let method: String

  /// The path, with its query.
  package let path: String

  /// The host and the port that the client asked for.
  package let authority: String

  /// The other fields, in the order in which they arrived.
  package let fields: [HTTPField]

  /// The body.
  package let body: [UInt8]

  /// The stream.
  package let stream: Int32

  /// The connection on which the request arrived, to make its faults.
  package let connection: HTTP2ServerConnection

  /// The value of the first field with this name.
  package subscript(name: String) -> String? { fields.first { $0.name == name }?.value }

  init(_ message: FrameMessage, on stream: Int32, of connection: HTTP2ServerConnection) {
    // nghttp2 has checked that a request has each pseudo-header once, before all other fields.
    let first = message.fields.prefix { $0.name.hasPrefix(":") }
    func value(_ name: String) -> String { first.first { $0.name == name }?.value ?? "" }
    method = value(":method")
    path = value(":path")
    authority = value(":authority")
    fields = Array(message.fields.dropFirst(first.count))
    body = message.body
    self.stream = stream
    self.connection = connection
  }
}

extension HTTP2ServerRequest: CustomStringConvertible, CustomReflectable {
  /// The method, the fields' names and the body's size; not the path, which may have a device's token.
  package var description: String { muteDescription(method: method, fields: fields, body: body) }

  package var customMirror: Mirror { Mirror(self, children: []) }
}

/// A server's reaction to a request.
package enum HTTP2ServerAnswer: Sendable {
  /// Answers.
  case response(HTTP2Response)

  /// Resets the stream without an answer; see ``HTTP2Code``.
  case reset(code: UInt32)

  /// Sends the answer's fields, and resets the stream before the answer is complete.
  case brokenOff(HTTP2Response, code: UInt32)

  /// Never answers.
  case silence
}

/// Codes of resets and of GOAWAY (RFC 9113, 7).
package enum HTTP2Code {
  /// Nothing is wrong.
  package static let noError: UInt32 = 0
  /// The server failed.
  package static let internalError: UInt32 = 2
  /// The stream was not processed.
  package static let refusedStream: UInt32 = 7
  /// The stream is no longer wanted.
  package static let cancel: UInt32 = 8
  /// The peer asks for too much.
  package static let enhanceYourCalm: UInt32 = 11
}
