internal import PushCore
internal import PushKeys

/// An answer of APNs (Apple, "Handling notification responses from APNs").
package struct APNsAnswer: Hashable, Sendable {
  /// The HTTP status.
  package let status: Int

  /// The headers, in lowercase.
  package let headers: [APNsRequest.Header]

  /// The body: empty, or JSON with the reason, and for status 410 the time.
  package let body: [UInt8]

  /// The answer to a push that is accepted.
  init(accepting id: RequestID, in environment: APNsEnvironment) {
    status = 200
    let own = APNsRequest.Header(name: "apns-unique-id", value: MessageID.random().text.uppercased())
    headers = [.init(name: "apns-id", value: id.text)] + (environment == .sandbox ? [own] : [])
    body = []
  }

  /// The answer to a request that is refused.
  init(refusing id: RequestID, with refusal: Refusal, since end: UnixTime? = nil, retryAfter: Int? = nil) {
    status = refusal.status
    let retry = retryAfter.map { APNsRequest.Header(name: "retry-after", value: String($0)) }
    headers =
      [.init(name: "apns-id", value: id.text), .init(name: "content-type", value: "application/json")]
      + (retry.map { [$0] } ?? [])
    var reason: JSONObject = ["reason": .string(refusal.reason)]
    // In milliseconds.
    reason["timestamp"] = end.map { .number(JSONNumber($0.seconds * 1000)) }
    body = reason.encoded()
  }
}

/// The ID of a request: its own, as the request writes it, or a new one.
struct RequestID {
  let value: MessageID
  let text: String

  init(of request: APNsRequest) {
    if let text = request["apns-id"], let value = try? MessageID(text) {
      self.value = value
      self.text = text
    } else {
      value = .random()
      text = value.text.uppercased()
    }
  }
}
