/// Why a text is not the URL of an HTTP proxy.
///
/// It has nothing of the text, which may have a password.
public struct HTTPProxyError: Error, Hashable, Sendable {
  /// What is wrong.
  ///
  /// The raw values are stable: logs and other programs may rely on them.
  public enum Fault: String, Hashable, Sendable, CaseIterable {
    /// The text is empty.
    case empty
    /// The text is longer than ``HTTPProxy/maximumURLSize``.
    case tooLong = "too-long"
    /// The text has another scheme than `http`, such as `https` or `socks5`.
    case scheme
    /// In the user or the password, a `%` is not followed by two hexadecimal digits.
    case percent
    /// The user has a colon, which Basic authentication cannot send (RFC 7617, 2).
    case colon
    /// The user or the password has a control character.
    case control
    /// The host is neither a name nor an IP address.
    case host
    /// There is no port.
    case noPort = "no-port"
    /// The port is not a number from 1 to 65535.
    case port
    /// Something follows the port.
    case path
  }

  /// What is wrong.
  public let fault: Fault

  /// The offset of what is wrong, in bytes.
  public let offset: Int

  /// Makes an error, to test code that handles it.
  public init(_ fault: Fault, at offset: Int) { (self.fault, self.offset) = (fault, offset) }
}

extension HTTPProxyError: CustomStringConvertible {
  /// What is wrong, and where.
  public var description: String {
    let text =
      switch fault {
      case .empty: "it is empty"
      case .tooLong: "it is longer than \(HTTPProxy.maximumURLSize) bytes"
      case .scheme: "only http:// is supported, not https:// or socks5://"
      case .percent: "a % in the user or the password is not followed by two hexadecimal digits"
      case .colon: "the user has a colon, where a proxy would end the name"
      case .control: "the user or the password has a control character"
      case .host: "the host is neither a name nor an IP address"
      case .noPort: "the port is missing"
      case .port: "the port is not a number from 1 to 65535; write / ? # @ in a password as %2F %3F %23 %40"
      case .path: "something follows the port; write / ? # @ in a password as %2F %3F %23 %40"
      }
    return "not the URL of an HTTP proxy, such as http://proxy.example.com:3128: \(text) (byte \(offset))"
  }
}
