internal import PushCore
/// A server, and what its certificate must be for.
package struct HTTP2Endpoint: Hashable, Sendable {
  /// The server's name, which its certificate must have: a DNS name or an IP address.
  package let host: String

  /// The port.
  package let port: UInt16

  /// Where to connect to, if not to the host: a name or an IP address.
  package let address: String

  /// Describes a server.
  package init(host: String, port: UInt16 = 443, address: String? = nil) {
    (self.host, self.port, self.address) = (host, port, address ?? host)
  }

  /// Whether the host and the address can be names or IP addresses.
  ///
  /// To OpenSSL, an empty name is none to check, text ends at a zero byte, and a dot in front stands for any name.
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

  /// Whether the system says that no host has that name; false as well if it cannot tell in time.
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

  /// The host and the port, as requests name them.
  var authority: String {
    let host = host.contains(":") ? "[\(host)]" : host
    return port == 443 ? host : "\(host):\(port)"
  }
}

/// How a client uses its connections.
package struct HTTP2Configuration: Sendable {
  /// The time that a connection may take, from the first look at its name to the end of the TLS handshake.
  package var connectionTimeout = Duration.seconds(15)

  /// How many streams may be open before the server has said its limit.
  package var firstStreamLimit = 1

  /// How long nothing is heard before a ping, without open requests and with some.
  package var pingAfter: (idle: Duration, busy: Duration) = (.seconds(3600), .seconds(10))

  /// How long a ping may go without an answer before the connection counts as dead.
  package var pingTimeout = Duration.seconds(10)

  /// What the server may make the client hold.
  package var limits = HTTP2Limits()

  /// Makes the configuration that suits APNs.
  package init() {}
}
