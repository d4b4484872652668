internal import PushNetwork

/// Servers that a client reaches without a proxy, as the variable `NO_PROXY` lists them.
///
/// Entries are separated by commas or white space. An entry is one of these, and `:PORT` after it limits it to a port:
///
/// - `*`: every server.
/// - A name, such as `example.com`: that name, and all below it, in any case. `.example.com` and `*.example.com` are the same.
/// - An IP address, such as `192.0.2.7`, `2001:db8::7` or `[2001:db8::7]:2197`. With a port, IPv6 has brackets.
/// - Addresses that begin with the same bits, such as `192.0.2.0/24`.
///
/// An entry that is none of them excepts nothing. A server's name is not looked up: addresses except only servers that are
/// given by their address.
public struct ProxyExceptions: Hashable, Sendable {
  private let entries: [ProxyException]

  /// Reads a list; an empty one excepts nothing.
  public init(_ text: String = "") {
    let words = text.split { $0 == "," || $0.isWhitespace }
    entries = words.compactMap { ProxyException(String($0)) }
  }

  /// Whether a server is reached without a proxy, by its name or IP address, and its port.
  public func contains(host: String, port: UInt16) -> Bool {
    entries.contains { $0.excepts(host: host, port: port) }
  }
}

/// An entry of a list of exceptions.
private struct ProxyException: Hashable {
  private enum Servers: Hashable {
    case all
    /// A name without a dot at its end, in lowercase, and all below it.
    case named(String)
    case within(IPAddress, bits: Int)
  }

  private let servers: Servers
  /// Nil for every port.
  private let port: UInt16?

  init?(_ text: String) {
    if let servers = Self.servers(text) {
      (self.servers, port) = (servers, nil)
      return
    }
    guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]),
      let servers = Self.servers(String(text[..<colon]))
    else { return nil }
    (self.servers, self.port) = (servers, port)
  }

  private static func servers(_ text: String) -> Servers? {
    if text == "*" { return .all }
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    let isBracketed = parts[0].hasPrefix("[") && parts[0].hasSuffix("]")
    if let address = IPAddress(isBracketed ? String(parts[0].dropFirst().dropLast()) : parts[0]) {
      guard parts.count > 1 else { return .within(address, bits: address.bitCount) }
      guard parts.count == 2, let bits = UInt8(parts[1]), bits <= address.bitCount else { return nil }
      return .within(address, bits: Int(bits))
    }
    let name = rootless(text)
    let bare = name.hasPrefix("*.") ? name.dropFirst(2) : name.hasPrefix(".") ? name.dropFirst() : name[...]
    return bare.contains(":") || !HTTP2Endpoint(host: String(bare)).isValid ? nil : .named(String(bare))
  }

  func excepts(host: String, port: UInt16) -> Bool {
    guard self.port == nil || self.port == port else { return false }
    switch servers {
    case .all: return true
    case .within(let address, let bits):
      return IPAddress(host).map { $0.begins(like: address, forBits: bits) } ?? false
    case .named(let name):
      let host = Self.rootless(host)
      return host == name || host.hasSuffix("." + name)
    }
  }

  /// A name in lowercase, without the dot of the root at its end.
  private static func rootless(_ name: String) -> String {
    let name = name.lowercased()
    return name.hasSuffix(".") ? String(name.dropLast()) : name
  }
}
