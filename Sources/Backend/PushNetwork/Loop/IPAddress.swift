internal import CLinux
internal import Glibc

/// An IP address, without a port.
package struct IPAddress: Hashable, Sendable {
  /// 4 bytes of IPv4, or 16 of IPv6, the most significant first.
  private let bytes: [UInt8]

  /// Reads an address as it is written, without brackets; nil for a name.
  ///
  /// An IPv4 address within IPv6, such as `::ffff:127.0.0.1`, is the IPv4 address.
  package init?(_ text: String) {
    var bytes = [UInt8](repeating: 0, count: 16)
    if unsafe inet_pton(AF_INET, text, &bytes) == 1 {
      self.bytes = Array(bytes[..<4])
    } else if unsafe inet_pton(AF_INET6, text, &bytes) == 1 {
      self.bytes = bytes.starts(with: Self.mapped) ? Array(bytes[12...]) : bytes
    } else {
      return nil
    }
  }

  /// What an IPv4 address within IPv6 begins with (RFC 4291, 2.5.5.2).
  private static let mapped = [UInt8](repeating: 0, count: 10) + [0xff, 0xff]

  /// The number of bits: 32 or 128.
  package var bitCount: Int { bytes.count * 8 }

  /// Whether it leads to this machine alone: it is in 127.0.0.0/8, or ::1.
  package var isLoopback: Bool {
    bytes.count == 4 ? bytes[0] == 127 : bytes.last == 1 && bytes.dropLast().allSatisfy { $0 == 0 }
  }

  /// Whether both are of one kind, and begin with the same bits.
  package func begins(like other: IPAddress, forBits count: Int) -> Bool {
    guard bytes.count == other.bytes.count else { return false }
    return zip(bytes, other.bytes).enumerated().allSatisfy { place, pair in
      // How many bits of these bytes count.
      let bits = min(8, max(0, count - 8 * place))
      return (pair.0 ^ pair.1) >> (8 - bits) == 0
    }
  }
}
