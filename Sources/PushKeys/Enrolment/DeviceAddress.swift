public import PushEnvelope

/// Where a device's app is found: what APNs needs to know.
public struct DeviceAddress: Hashable, Sendable {
  /// The app.
  public let topic: Topic

  /// The environment that the token is for.
  public let environment: APNsEnvironment

  /// The app on the device.
  public let token: DeviceToken

  /// Puts an address together.
  public init(topic: Topic, environment: APNsEnvironment, token: DeviceToken) {
    self.topic = topic
    self.environment = environment
    self.token = token
  }
}

/// The environments that APNs has, each with tokens of its own.
public enum APNsEnvironment: String, Sendable, CaseIterable {
  /// For apps that Xcode installed.
  case sandbox

  /// For TestFlight and the App Store.
  case production
}

/// The name that APNs has for an app on a device.
public struct DeviceToken: Hashable, Sendable {
  /// The longest token that is taken, in bytes; today's have 32, and Apple says that they may grow.
  public static let maximumSize = 256

  /// The bytes, as the app got them.
  public let bytes: [UInt8]

  /// Takes 1 to 256 bytes; null for any other number.
  public init?(_ bytes: [UInt8]) {
    guard (1...Self.maximumSize).contains(bytes.count) else { return nil }
    self.bytes = bytes
  }

  /// Reads hexadecimal digits in either case; null for any other text.
  public init?(text: String) {
    let digits = text.utf8.map { Character(Unicode.Scalar($0)).hexDigitValue }
    guard digits.count.isMultiple(of: 2), digits.count <= 2 * Self.maximumSize else { return nil }
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: digits.count, by: 2) {
      guard let high = digits[index], let low = digits[index + 1] else { return nil }
      bytes.append(UInt8(high << 4 | low))
    }
    self.init(bytes)
  }

  /// The bytes in hexadecimal, lower case, as the path of a request to APNs has them.
  public var text: String {
    bytes.map { (value: UInt8) in (value < 16 ? "0" : "") + String(value, radix: 16) }.joined()
  }
}
