/// The address of an app on a device: what APNs needs to deliver a push.
public struct DeviceAddress: Hashable, Sendable {
  /// The app.
  public let topic: Topic

  /// The environment that the token is for.
  public let environment: APNsEnvironment

  /// The app's device token.
  public let token: DeviceToken

  /// Makes an address from its parts.
  public init(topic: Topic, environment: APNsEnvironment, token: DeviceToken) {
    self.topic = topic
    self.environment = environment
    self.token = token
  }
}

/// An APNs environment.
///
/// Each has its own device tokens.
public enum APNsEnvironment: String, Sendable, CaseIterable {
  /// For apps installed by Xcode.
  case sandbox

  /// For TestFlight and the App Store.
  case production
}

/// An APNs device token: APNs' identifier of an app on a device.
public struct DeviceToken: Hashable, Sendable {
  /// The maximum size of a token, in bytes.
  ///
  /// Tokens are 32 bytes today, but Apple does not guarantee a size.
  public static let maximumSize = 256

  /// The bytes, as the system gave them to the app.
  public let bytes: [UInt8]

  /// Makes a token of 1 to 256 bytes, such as the `Data` that the system gives; nil for any other size.
  public init?(_ bytes: some Sequence<UInt8>) {
    let bytes = Array(bytes)
    guard (1...Self.maximumSize).contains(bytes.count) else { return nil }
    self.bytes = bytes
  }

  /// Parses hexadecimal digits in either case.
  ///
  /// - Throws: `ValueError`.
  public init(_ text: String) throws(ValueError) { try self.init(parsing: Array(text.utf8).span) }

  /// Parses hexadecimal digits in either case.
  ///
  /// - Throws: `ValueError`.
  package init(parsing digits: Span<UInt8>) throws(ValueError) {
    guard (2...2 * Self.maximumSize).contains(digits.count), digits.count.isMultiple(of: 2) else {
      throw Self.error(at: nil)
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(digits.count / 2)
    for index in stride(from: 0, to: digits.count, by: 2) {
      guard let high = HexDigit.value(of: digits[index]) else { throw Self.error(at: index) }
      guard let low = HexDigit.value(of: digits[index + 1]) else { throw Self.error(at: index + 1) }
      bytes.append(high << 4 | low)
    }
    self.bytes = bytes
  }

  private static func error(at offset: Int?) -> ValueError {
    ValueError("device token", is: "1 to \(maximumSize) bytes in hexadecimal digits", notAt: offset)
  }

  /// The bytes in lowercase hexadecimal, as in the path of a request to APNs.
  public var text: String { HexDigit.text(of: bytes) }
}

/// Keeps the token out of logs: with the token and the team's key, anybody can push to the device.
extension DeviceToken: CustomStringConvertible, CustomReflectable {
  /// The size alone; ``text`` gives the token.
  public var description: String { "DeviceToken(\(bytes.count) bytes)" }

  /// Shows nothing.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
