internal import PushCore
/// A server, with the name that its certificate must have.
package struct HTTP2Endpoint: Hashable, Sendable {
  /// The server's name, which its certificate must have: a DNS name or an IP address.
  package let host: String

  /// The port.
  package let port: UInt16

  /// The address to connect to, a name or an IP address; by default the host.
  package let address: String

  /// Describes a server.
  package init(host: String, port: UInt16 = 443, address: String? = nil) {
    self.host = host
    self.port = port
    self.address = address ?? host
  }

  /// Whether the host and the address can be names or IP addresses.
  ///
  /// OpenSSL checks nothing for an empty name, ends text at a zero byte, and takes a leading dot for any subdomain.
  package var isValid: Bool {
    [host, address].allSatisfy { text in
      (1...255).contains(text.utf8.count) && !text.hasPrefix(".") && text.utf8.allSatisfy(Self.isHostByte)
    }
  }

  private static func isHostByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "0")...UInt8(ascii: ":"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"): true
    default: false
    }
  }

  /// Whether the system says that no host has that name; also false if it cannot tell in time.
  package func hasNoHost(within time: Duration) async -> Bool {
    let clock = SystemClock()
    do throws(HTTP2Error) {
      _ = try await Resolver.shared.addresses(
        of: address, port: port, until: clock.uptime + time, clock: clock)
    } catch .name(let error) {
      return error.isNoName
    } catch {}
    return false
  }

  /// Whether it is on this machine, by its address: `localhost`, a name below it, 127.0.0.0/8 or ::1.
  package var isLoopback: Bool {
    if let address = IPAddress(address) { return address.isLoopback }
    let name = address.lowercased()
    let rooted = name.hasSuffix(".") ? name : name + "."
    return rooted == "localhost." || rooted.hasSuffix(".localhost.")
  }

  /// The host and the port, as requests name them.
  var authority: String { port == 443 ? Self.bracketed(host) : Self.place(host, port) }

  /// The address and the port, as a proxy is told them.
  var target: String { Self.place(address, port) }

  /// A host and its port.
  package static func place(_ host: String, _ port: UInt16) -> String { "\(bracketed(host)):\(port)" }

  private static func bracketed(_ host: String) -> String { host.contains(":") ? "[\(host)]" : host }
}

/// How a client uses its connections.
package struct HTTP2Configuration: Sendable {
  /// The time that a connection may take, from the first look at its name to the end of the TLS handshake.
  package var connectionTimeout = Duration.seconds(15)

  /// How many streams may be open before the server has announced its limit.
  package var firstStreamLimit = 1

  /// The silence after which a ping is sent: without open requests (`idle`), and with some (`busy`).
  package var pingAfter: (idle: Duration, busy: Duration) = (.seconds(3600), .seconds(10))

  /// How long a ping may go without an answer before the connection counts as dead.
  package var pingTimeout = Duration.seconds(10)

  /// The limits of what the server may make the client hold.
  package var limits = HTTP2Limits()

  /// Makes the configuration that suits APNs.
  package init() {}
}
