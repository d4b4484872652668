/// A proxy that opens a connection to a server for whoever asks (CONNECT; RFC 9110, 9.3.6).
///
/// The connection to the proxy is plain TCP. What goes through the tunnel is TLS with the server, of which the proxy sees
/// the name and the port.
package struct TunnelProxy: Sendable {
  /// The proxy's name or IP address, which must be valid as an endpoint's host.
  package let host: String

  /// The port.
  package let port: UInt16

  /// What the proxy wants to know of its clients; nil if nothing.
  package let credentials: (any TunnelCredentials)?

  /// Describes a proxy.
  package init(host: String, port: UInt16, credentials: (any TunnelCredentials)? = nil) {
    (self.host, self.port, self.credentials) = (host, port, credentials)
  }

  /// The host and the port.
  var place: String { HTTP2Endpoint.place(host, port) }
}

extension HTTP2Error {
  /// The same error, but that of a proxy if one is on the way, so that nobody takes it for the server's.
  func blamed(on proxy: TunnelProxy?) -> HTTP2Error {
    guard let proxy else { return self }
    return switch self {
    case .name(let error): .tunnel(TunnelError(.name(error), proxy: proxy.place))
    case .socket(let error): .tunnel(TunnelError(.socket(error), proxy: proxy.place))
    case .timeout: .tunnel(TunnelError(.timeout, proxy: proxy.place))
    case .invalidHost, .tunnel, .tls, .cancelled: self
    }
  }
}

/// What a proxy wants to know of its clients: a secret of its owner, who keeps and wipes it.
package protocol TunnelCredentials: Sendable {
  /// Gives the value of `Proxy-Authorization` to a call.
  func withAuthorization(_ use: (Span<UInt8>) -> Void)
}
