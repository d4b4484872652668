internal import PushCrypto
internal import PushNetwork

/// An HTTP proxy through which a client reaches APNs: `CONNECT` (RFC 9110, 9.3.6).
///
/// ```swift
/// configuration.proxy = try HTTPProxy(url: "http://proxy.example.com:3128")
/// ```
///
/// The connection to the proxy is plain TCP. Through it goes TLS with APNs: the proxy sees the name and the port of Apple's
/// server, and how much is sent. The certificate must be Apple's, as without a proxy. Only the proxy looks Apple's name up.
///
/// The user and the password are a secret: they are in memory that is wiped at the end, and in no description. So two proxies
/// cannot be compared.
public struct HTTPProxy: Sendable {
  /// The proxy's name or IP address.
  public let host: String

  /// The port, 1 or more.
  public let port: UInt16

  private let credentials: BasicCredentials?

  /// Whether the proxy is told a user and a password.
  public var hasCredentials: Bool { credentials != nil }

  /// The longest URL, in bytes.
  public static let maximumURLSize = 4096

  /// Reads a proxy's URL, `http://HOST:PORT` or `http://USER:PASSWORD@HOST:PORT`, of at most ``maximumURLSize`` bytes.
  ///
  /// `http://` may be missing, and a slash may follow the port. In the user and the password, `%` and two hexadecimal digits
  /// are a byte: `%40` is `@`. The caller wipes the text.
  ///
  /// - Throws: ``HTTPProxyError``, which has nothing of the URL.
  public init(url: Span<UInt8>) throws(HTTPProxyError) {
    let parts = try ProxyURL(url)
    (host, port) = (parts.host, parts.port)
    credentials = try parts.credentials.map { (range) throws(HTTPProxyError) in
      try BasicCredentials(in: url, at: range)
    }
  }

  /// Reads a proxy's URL from an array, as from a span.
  ///
  /// - Throws: ``HTTPProxyError``.
  public init(url: [UInt8]) throws(HTTPProxyError) { try self.init(url: url.span) }

  /// Reads a proxy's URL from a string, which cannot be wiped, as from a span.
  ///
  /// - Throws: ``HTTPProxyError``.
  public init(url: String) throws(HTTPProxyError) {
    var bytes = Array(url.utf8)
    defer { bytes.wipe() }
    try self.init(url: bytes.span)
  }

  /// Whether both are one proxy, which is told the same user and password.
  func isSame(as other: HTTPProxy) -> Bool {
    guard host == other.host, port == other.port else { return false }
    return switch (credentials, other.credentials) {
    case (nil, nil): true
    case (let left?, let right?): left.isSame(as: right)
    default: false
    }
  }

  /// What connections are made through.
  var tunnel: TunnelProxy { TunnelProxy(host: host, port: port, credentials: credentials) }
}

extension HTTPProxy: CustomStringConvertible {
  /// The host and the port.
  public var description: String { HTTP2Endpoint.place(host, port) }
}

extension HTTPProxy: CustomReflectable {
  /// The host and the port, which are no secrets.
  public var customMirror: Mirror { Mirror(self, children: ["host": host, "port": port]) }
}
