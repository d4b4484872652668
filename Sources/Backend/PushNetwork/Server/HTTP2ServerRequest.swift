/// A request that a server received whole.
package struct HTTP2ServerRequest: Sendable {
  /// The method.
  package let method: String

  /// The path, with its query.
  package let path: String

  /// The host and the port that the client asked for.
  package let authority: String

  /// The other fields, in the order in which they came.
  package let fields: [HTTPField]

  /// The body.
  package let body: [UInt8]

  /// The stream.
  package let stream: Int32

  /// The connection that it came on, whose faults are its own.
  package let connection: HTTP2ServerConnection

  /// The value of the first field of that name.
  package subscript(name: String) -> String? { fields.first { $0.name == name }?.value }

  init(_ message: FrameMessage, on stream: Int32, of connection: HTTP2ServerConnection) {
    // nghttp2 has checked that a request has those fields once, and before all others.
    let first = message.fields.prefix { $0.name.hasPrefix(":") }
    func value(_ name: String) -> String { first.first { $0.name == name }?.value ?? "" }
    (method, path, authority) = (value(":method"), value(":path"), value(":authority"))
    fields = Array(message.fields.dropFirst(first.count))
    body = message.body
    self.stream = stream
    self.connection = connection
  }
}

extension HTTP2ServerRequest: CustomStringConvertible, CustomReflectable {
  /// The method, the fields' names and the body's size; the path may have a device's token.
  package var description: String { muteDescription(method: method, fields: fields, body: body) }

  package var customMirror: Mirror { Mirror(self, children: []) }
}

/// What a server does with a request.
package enum HTTP2ServerAnswer: Sendable {
  /// Answers.
  case response(HTTP2Response)

  /// Resets the stream without an answer; see ``HTTP2Code``.
  case reset(code: UInt32)

  /// Sends the answer's fields, and resets the stream before the answer is whole.
  case brokenOff(HTTP2Response, code: UInt32)

  /// Says nothing, ever.
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
