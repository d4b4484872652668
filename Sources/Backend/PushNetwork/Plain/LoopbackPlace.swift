internal import Glibc

/// Where a server of this machine listens.
package enum LoopbackPlace: Hashable, Sendable {
  /// A port of 127.0.0.1.
  case port(UInt16)
  /// The path of a Unix socket, of at most ``maximumPathSize`` bytes.
  case path(String)

  /// How long the path of a Unix socket may be, in bytes.
  package static let maximumPathSize = 107

  /// The mode of a Unix socket: its user and group may connect.
  package static let mode: UInt32 = 0o660
}

extension LoopbackPlace {
  /// The address of a port on 127.0.0.1.
  static func address(ofPort port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    return address
  }

  /// Gives the address to a call, and returns what that returns; -1 if a path is too long for one.
  @unsafe func withAddress(_ call: (UnsafePointer<sockaddr>, socklen_t) -> CInt) -> CInt {
    switch self {
    case .port(let port): return unsafe passAddress(Self.address(ofPort: port), to: call)
    case .path(let path):
      guard path.utf8.count <= Self.maximumPathSize else {
        errno = ENAMETOOLONG
        return -1
      }
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
      return unsafe passAddress(address, to: call)
    }
  }
}

extension LoopbackPlace: CustomStringConvertible {
  /// The address as an option has it.
  package var description: String {
    switch self {
    case .port(let port): "127.0.0.1:\(port)"
    case .path(let path): "unix:\(path)"
    }
  }
}

/// The failure to listen; `errno` is the reason.
package struct ListenError: Error, Hashable {
  package let place: ListenPlace
  package let errno: Int32

  init(_ place: ListenPlace, errno: Int32) { (self.place, self.errno) = (place, errno) }

  /// The port; 0 at a path.
  package var port: UInt16 { place.port }
}

extension ListenError: CustomStringConvertible {
  /// What is wrong.
  package var description: String {
    "cannot listen on \(place): \(unsafe String(cString: strerror(errno)))"
  }
}
