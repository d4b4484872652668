#if canImport(Glibc)
  private import Glibc
#elseif canImport(Darwin)
  private import Darwin
#endif

/// The rules for the hosts that a sender may make a device contact.
enum HostRules {
  /// Checks a URL's authority without a user name: a host and optionally a port.
  static func check(authority: Substring) throws(AttachmentURLError) {
    let bytes = authority.utf8
    guard bytes.first == UInt8(ascii: "[") else {
      let parts = authority.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      try check(name: parts[0])
      if parts.count == 2 { try check(port: parts[1]) }
      return
    }
    guard let end = bytes.firstIndex(of: UInt8(ascii: "]")) else { throw .badHost }
    try check(ipv6: authority[bytes.index(after: bytes.startIndex)..<end])
    let rest = authority[bytes.index(after: end)...]
    guard !rest.isEmpty else { return }
    guard rest.hasPrefix(":") else { throw .badHost }
    try check(port: rest.dropFirst())
  }

  static func isHexadecimal(_ character: UInt8) -> Bool {
    "0123456789abcdefABCDEF".utf8.contains(character)
  }

  private static func check(port: Substring) throws(AttachmentURLError) {
    guard (1...5).contains(port.utf8.count), port.utf8.allSatisfy(isDigit), let number = UInt16(port),
      number > 0
    else { throw .badPort }
  }

  /// Checks a name, or an IPv4 address in any notation that some library accepts.
  private static func check(name: Substring) throws(AttachmentURLError) {
    // A fully qualified name may end with a period.
    let name = (name.hasSuffix(".") ? name.dropLast() : name).lowercased()
    let labels = name.split(separator: ".", omittingEmptySubsequences: false)
    guard name.utf8.count <= 253, labels.allSatisfy({ isLabel($0.utf8) }), let last = labels.last else {
      throw .badHost
    }
    if isNumber(last.utf8) { return try check(ipv4: name) }
    let isLocal = labels.count == 1 || ["localhost", "local", "internal"].contains(last)
    guard !isLocal, !name.hasSuffix(".home.arpa"), name != "home.arpa" else { throw .privateHost }
  }

  private static func isLabel(_ label: Substring.UTF8View) -> Bool {
    (1...63).contains(label.count)
      && label.allSatisfy {
        isDigit($0) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) || "-_".utf8.contains($0)
      }
  }

  private static func isDigit(_ character: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(character)
  }

  /// Whether a name's last label makes the name an address: digits, or hexadecimal digits after `0x`.
  private static func isNumber(_ label: Substring.UTF8View) -> Bool {
    label.allSatisfy(isDigit) || label.starts(with: "0x".utf8) && label.dropFirst(2).allSatisfy(isHexadecimal)
  }

  /// Checks one to four numbers, each decimal, octal after `0` or hexadecimal after `0x`.
  private static func check(ipv4 text: String) throws(AttachmentURLError) {
    var address = in_addr()
    guard unsafe inet_aton(text, &address) != 0 else { throw .badHost }
    guard isPublic(ipv4: UInt32(bigEndian: address.s_addr)) else { throw .privateHost }
  }

  private static func isPublic(ipv4 address: UInt32) -> Bool {
    // RFC 6890 and IANA's registry: address and prefix length of each block outside the public network.
    let others: [(UInt32, UInt32)] = [
      (0x0000_0000, 8), (0x0a00_0000, 8), (0x6440_0000, 10), (0x7f00_0000, 8), (0xa9fe_0000, 16),
      (0xac10_0000, 12), (0xc000_0000, 24), (0xc0a8_0000, 16), (0xc612_0000, 15), (0xe000_0000, 3),
    ]
    return !others.contains { prefix, length in (address ^ prefix) >> (32 - length) == 0 }
  }

  private static func check(ipv6 text: Substring) throws(AttachmentURLError) {
    var address = in6_addr()
    guard unsafe inet_pton(AF_INET6, String(text), &address) == 1 else { throw .badHost }
    let bytes = unsafe withUnsafeBytes(of: address) { unsafe Array($0) }
    // RFC 4291, 2.4: public addresses are in 2000::/3. 2001::/32 (RFC 4380) and 2002::/16 (RFC 3056) contain arbitrary
    // IPv4 addresses.
    guard bytes[0] >> 5 == 1, bytes.prefix(4) != [0x20, 0x01, 0, 0], bytes.prefix(2) != [0x20, 0x02] else {
      throw .privateHost
    }
  }
}
