internal import Glibc

/// Why a proxy opened no connection to a server.
///
/// It has nothing of the credentials, and no text of the proxy's.
package struct TunnelError: Error, Hashable, Sendable {
  /// What is wrong.
  package enum Fault: Error, Hashable, Sendable {
    /// The proxy's name has no address.
    case name(ResolverError)
    /// The proxy accepts no connection, or the connection to it failed.
    case socket(SocketError)
    /// The proxy closed the connection before its answer was whole.
    case closed
    /// The answer is not one of HTTP/1.0 or HTTP/1.1.
    case malformed
    /// The answer's head is longer than 8 KiB.
    case tooLarge
    /// The proxy wants a user and a password: its status is 407, or 401, which only servers should give.
    case credentialsNeeded(status: Int)
    /// The proxy refuses the user or the password: its status is 407, or 401.
    case credentialsRefused(status: Int)
    /// The proxy answered with a status other than these and 2xx.
    case status(Int)
    /// There was no answer in time.
    case timeout

    /// What the failure of a call on the proxy's socket means.
    init(_ error: SocketError) {
      self = [ECONNRESET, EPIPE].contains(error.errno) ? .closed : .socket(error)
    }
  }

  /// What is wrong.
  package let fault: Fault

  /// The proxy's host and port.
  package let proxy: String

  /// Makes an error.
  init(_ fault: Fault, proxy: String) { (self.fault, self.proxy) = (fault, proxy) }
}

extension TunnelError: CustomStringConvertible {
  /// The proxy, and what is wrong.
  package var description: String {
    switch fault {
    case .name(let error): "the proxy \(proxy) has no address: \(error)"
    case .socket(let error): "the proxy \(proxy) cannot be reached: \(error)"
    case .closed: "the proxy \(proxy) closed the connection before it had answered"
    case .malformed: "the proxy \(proxy) gave an answer that is not HTTP/1.1"
    case .tooLarge: "the proxy \(proxy) gave an answer whose head is longer than 8 KiB"
    case .credentialsNeeded(let status): "the proxy \(proxy) wants a user and a password (status \(status))"
    case .credentialsRefused(let status):
      "the proxy \(proxy) refuses the user or the password (status \(status))"
    case .status(let status): "the proxy \(proxy) opens no connection to the server (status \(status))"
    case .timeout: "the proxy \(proxy) opened no connection in time"
    }
  }
}
