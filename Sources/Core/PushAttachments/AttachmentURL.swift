/// A blob's address on the public network, over TLS.
///
/// The sender chooses the address, so it must not make a device send requests to itself or to its local network. A host
/// name that resolves to such an address cannot be detected here.
public struct AttachmentURL: Hashable, Sendable {
  /// The maximum length of an address, in bytes.
  public static let maximumSize = 2048

  /// The address.
  public let text: String

  /// Takes an address (RFC 3986): `https://`, a host, and optionally a port, a path and a query.
  ///
  /// It refuses user names, fragments, invalid characters, host names without a period or of the local network, and
  /// numeric hosts outside the public network in any notation.
  ///
  /// - Throws: ``AttachmentURLError``.
  public init(_ text: String) throws(AttachmentURLError) {
    guard text.utf8.count <= Self.maximumSize else { throw .tooLong }
    guard text.utf8.allSatisfy(Self.isAllowed), Self.hasWholeEscapes(in: text) else { throw .badCharacter }
    guard text.hasPrefix(Self.scheme) else { throw .notHTTPS }
    let authority = text.utf8.dropFirst(Self.scheme.utf8.count).prefix { !"/?#".utf8.contains($0) }
    guard !text.utf8.contains(UInt8(ascii: "#")) else { throw .hasFragment }
    guard !authority.contains(UInt8(ascii: "@")) else { throw .hasCredentials }
    try HostRules.check(authority: Substring(authority))
    self.text = text
  }

  /// Takes an address unchecked, for tests with a local server.
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
  private static func hasWholeEscapes(in text: String) -> Bool {
    text.utf8.split(separator: UInt8(ascii: "%"), omittingEmptySubsequences: false).dropFirst().allSatisfy {
      $0.count >= 2 && $0.prefix(2).allSatisfy(HostRules.isHexadecimal)
    }
  }
}

/// Why a text is not a valid address of a blob.
public enum AttachmentURLError: Error, Equatable, Sendable {
  /// The address has more than 2048 bytes.
  case tooLong
  /// A character is invalid in addresses, or an escape is incomplete.
  case badCharacter
  /// The address does not begin with `https://`, in lower case.
  case notHTTPS
  /// The address has a user name.
  case hasCredentials
  /// The address has a fragment.
  case hasFragment
  /// The port is not a number from 1 to 65535.
  case badPort
  /// The host is missing or invalid.
  case badHost
  /// The host is not on the public network: it is the device itself, or has a local or reserved name or IP address.
  case privateHost
}

extension AttachmentURLError: CustomStringConvertible {
  /// What is wrong with the address.
  public var description: String { "the address \(reason)" }

  /// What is wrong, to follow the name of the address.
  package var reason: String {
    switch self {
    case .tooLong: "has more than \(AttachmentURL.maximumSize) bytes"
    case .badCharacter: "has a character that is not allowed in an address"
    case .notHTTPS: "must begin with https://"
    case .hasCredentials: "has a user name, which every device would send along"
    case .hasFragment: "has a fragment"
    case .badPort: "has a port that is not a number from 1 to 65535"
    case .badHost: "has no valid host"
    case .privateHost: "has a host that is not on the public internet"
    }
  }
}
