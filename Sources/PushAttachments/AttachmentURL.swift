/// Where a blob is: an address on the public network, over TLS.
///
/// The sender chooses it, so what it may make a device ask for is bounded: nothing on the device, nothing in the
/// network that the device happens to be in. A name that leads there cannot be told by looking at it.
public struct AttachmentURL: Hashable, Sendable {
  /// The longest address, in bytes.
  public static let maximumSize = 2048

  /// The address.
  public let text: String

  /// Takes an address (RFC 3986): `https://`, a host, perhaps a port, a path and a query.
  ///
  /// Refused are user names, fragments, characters that no address has, host names without a period and those
  /// of the local network, and numeric hosts that are not on the public network, however they are written.
  ///
  /// - Throws: ``AttachmentURLError``.
  public init(_ text: String) throws(AttachmentURLError) {
    guard text.utf8.count <= Self.maximumSize else { throw .tooLong }
    guard text.utf8.allSatisfy(Self.isAllowed), Self.hasWholeEscapes(text) else { throw .badCharacter }
    guard text.hasPrefix(Self.scheme) else { throw .notHTTPS }
    let authority = text.utf8.dropFirst(Self.scheme.utf8.count).prefix { !"/?#".utf8.contains($0) }
    guard !text.utf8.contains(UInt8(ascii: "#")) else { throw .hasFragment }
    guard !authority.contains(UInt8(ascii: "@")) else { throw .hasCredentials }
    try HostRules.check(authority: Substring(authority))
    self.text = text
  }

  /// Takes an address as it is, for tests whose server is this machine.
  package init(unchecked text: String) { self.text = text }

  private static let scheme = "https://"

  // RFC 3986, 2.2 and 2.3: the reserved and the unreserved characters, and "%".
  private static func isAllowed(_ character: UInt8) -> Bool {
    switch character {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"): true
    case UInt8(ascii: "0")...UInt8(ascii: "9"): true
    default: "-._~:/?#[]@!$&'()*+,;=%".utf8.contains(character)
    }
  }

  // RFC 3986, 2.1: pct-encoded = "%" HEXDIG HEXDIG.
  private static func hasWholeEscapes(_ text: String) -> Bool {
    text.utf8.split(separator: UInt8(ascii: "%"), omittingEmptySubsequences: false).dropFirst().allSatisfy {
      $0.count >= 2 && $0.prefix(2).allSatisfy(HostRules.isHexadecimal)
    }
  }
}

/// Why a text is no address of a blob.
public enum AttachmentURLError: Error, Equatable, Sendable {
  /// It has more than 2048 bytes.
  case tooLong
  /// A character that no address has, or half an escape.
  case badCharacter
  /// It does not begin with `https://`, in lower case.
  case notHTTPS
  /// It has a user name.
  case hasCredentials
  /// It has a fragment.
  case hasFragment
  /// The port is not a number from 1 to 65535.
  case badPort
  /// There is no host, or it has a form that no host has.
  case badHost
  /// The host is on the device itself or in the network that it is in.
  case privateHost
}
