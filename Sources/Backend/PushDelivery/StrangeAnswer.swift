internal import PushNetwork

/// An answer that is not APNs' own: that of a proxy, of a server under a wrong address, or of nobody knows whom.
///
/// It says nothing about a push or a device.
struct StrangeAnswer: Hashable, Sendable {
  let status: Int

  /// What the server calls itself: printable ASCII, at most ``maximumSize`` bytes; nil if it does not say.
  let server: String?

  /// How long it asks to wait.
  let retryAfter: Duration?

  private static let maximumSize = 64

  init(status: Int, server: String? = nil, retryAfter: Duration? = nil) {
    self.status = status
    self.retryAfter = retryAfter
    self.server = server.flatMap { name in
      let isPrintable = name.utf8.allSatisfy { (0x20...0x7e).contains($0) }
      return isPrintable && (1...Self.maximumSize).contains(name.utf8.count) ? name : nil
    }
  }

  init(_ response: HTTP2Response, retryAfter: Duration?) {
    self.init(status: response.status, server: response["server"], retryAfter: retryAfter)
  }

  /// Whether the server took the push for good, and somebody behind it may have delivered it.
  var isSuccess: Bool { (200..<300).contains(status) }

  /// What answered.
  var text: String {
    let missing = isSuccess ? "an apns-id" : "one of APNs' reasons"
    return "status \(status) without \(missing)" + (server.map { ", from the server '\($0)'" } ?? "")
  }
}
