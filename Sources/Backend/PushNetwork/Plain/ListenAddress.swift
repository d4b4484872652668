internal import Glibc

/// Where a server listens: on this machine only, or at an IP address.
package enum ListenPlace: Hashable, Sendable {
  /// A place that only programs of this machine reach.
  case loopback(LoopbackPlace)
  /// An address, which other machines reach unless it is one of this machine alone.
  case address(ListenAddress)

  /// The port; 0 at a path.
  package var port: UInt16 {
    switch self {
    case .loopback(.port(let port)): port
    case .loopback(.path): 0
    case .address(let address): address.port
    }
  }
}

extension ListenPlace: CustomStringConvertible {
  /// The address as an option has it.
  package var description: String {
    switch self {
    case .loopback(let place): place.description
    case .address(let address): address.description
    }
  }
}

/// An IP address of this machine and a port: `127.0.0.1:9464`, `[::1]:9464`, `0.0.0.0:9464`.
package struct ListenAddress: Hashable, Sendable {
  /// The address in network order: 4 bytes, or 16.
  private let bytes: [UInt8]

  /// The port; 0 lets the system choose one.
  package let port: UInt16

  private init(bytes: [UInt8], port: UInt16) { (self.bytes, self.port) = (bytes, port) }

  /// Reads `PORT`, `A.B.C.D:PORT` or `[IPV6]:PORT`; a port alone is one of 127.0.0.1.
  ///
  /// Nil for any other text: a name, an address with a zone, or one of IPv4 that is written as IPv6.
  package init?(_ text: String) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard let port = parts.last.flatMap({ Self.port(String($0)) }) else { return nil }
    let host = text.utf8.count > port.count ? String(text.dropLast(port.count + 1)) : "127.0.0.1"
    let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
    let address = isBracketed ? String(host.dropFirst().dropLast()) : host
    guard let bytes = Self.bytes(of: address, isIPv6: isBracketed) else { return nil }
    self.init(bytes: bytes, port: port.number)
  }

  /// A port in digits alone, and how many there are.
  private static func port(_ text: String) -> (number: UInt16, count: Int)? {
    guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = UInt16(text) else { return nil }
    return (number, text.utf8.count)
  }

  private static func bytes(of address: String, isIPv6: Bool) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: isIPv6 ? 16 : 4)
    guard unsafe inet_pton(isIPv6 ? AF_INET6 : AF_INET, address, &bytes) == 1 else { return nil }
    // ::ffff:a.b.c.d has two spellings, and whoever reads it may not see which machines it is for.
    guard !isIPv6 || !bytes.starts(with: [UInt8](repeating: 0, count: 10) + [0xff, 0xff]) else { return nil }
    return bytes
  }

  /// Whether only programs of this machine reach it: 127.0.0.0/8 or ::1.
  package var isLoopback: Bool {
    bytes.count == 4 ? bytes[0] == 127 : bytes == [UInt8](repeating: 0, count: 15) + [1]
  }

  /// Whether it is all addresses of IPv6, and so of IPv4, too.
  var isOfBothFamilies: Bool { bytes == [UInt8](repeating: 0, count: 16) }

  /// The system's number of the family.
  var family: CInt { bytes.count == 4 ? AF_INET : AF_INET6 }

  /// The same address with another port.
  func with(port: UInt16) -> ListenAddress { ListenAddress(bytes: bytes, port: port) }

  /// Gives the address to a call, and returns what that returns.
  @unsafe func withAddress(_ call: (UnsafePointer<sockaddr>, socklen_t) -> CInt) -> CInt {
    guard bytes.count == 4 else {
      var address = sockaddr_in6()
      address.sin6_family = sa_family_t(AF_INET6)
      address.sin6_port = port.bigEndian
      unsafe withUnsafeMutableBytes(of: &address.sin6_addr) { unsafe $0.copyBytes(from: bytes) }
      return unsafe passAddress(address, to: call)
    }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    unsafe withUnsafeMutableBytes(of: &address.sin_addr) { unsafe $0.copyBytes(from: bytes) }
    return unsafe passAddress(address, to: call)
  }
}

extension ListenAddress: CustomStringConvertible {
  /// The address and the port, as an option has them.
  package var description: String {
    var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    guard unsafe inet_ntop(family, bytes, &text, socklen_t(text.count)) != nil else { return ":\(port)" }
    let address = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return bytes.count == 4 ? "\(address):\(port)" : "[\(address)]:\(port)"
  }
}

/// Gives an address of any family to a call, and returns what that returns.
@unsafe func passAddress<Address>(
  _ address: Address, to call: (UnsafePointer<sockaddr>, socklen_t) -> CInt
) -> CInt {
  unsafe withUnsafePointer(to: address) { address in
    unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      unsafe call($0, socklen_t(MemoryLayout<Address>.size))
    }
  }
}
