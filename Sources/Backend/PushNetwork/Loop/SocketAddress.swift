internal import CLinux
internal import Glibc

/// An IP address with a port.
struct SocketAddress: Hashable, Sendable {
  let family: CInt
  private let bytes: [UInt8]

  /// Copies a `sockaddr`.
  @unsafe init?(_ address: UnsafePointer<sockaddr>, size: Int) {
    family = CInt(unsafe address.pointee.sa_family)
    guard family == AF_INET || family == AF_INET6 else { return nil }
    unsafe bytes = [UInt8](UnsafeRawBufferPointer(start: address, count: size))
  }

  /// Gives the address to a call.
  @unsafe func withPointer<Result>(_ call: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
    unsafe bytes.withUnsafeBytes { bytes in
      var storage = sockaddr_storage()
      return unsafe withUnsafeMutableBytes(of: &storage) { storage in
        unsafe storage.copyMemory(from: bytes)
        // A `sockaddr_storage` begins with an address, and is aligned for it.
        return unsafe call(
          storage.assumingMemoryBound(to: sockaddr.self).baseAddress!, socklen_t(bytes.count))
      }
    }
  }

  /// Addresses with their families in turn (RFC 8305, 4), as IPv6 as a whole may lead nowhere; the first one stays that.
  static func inTurn(_ addresses: [SocketAddress]) -> [SocketAddress] {
    let own = addresses.filter { $0.family == addresses[0].family }
    let other = addresses.filter { $0.family != addresses[0].family }
    return (0..<addresses.count).flatMap { index in
      [own, other].compactMap { index < $0.count ? $0[index] : nil }
    }
  }

  /// Whether `host` is an IP address, not a name.
  static func isLiteral(_ host: String) -> Bool { IPAddress(host) != nil }
}
