/// The address of an app on an Android device: what Firebase Cloud Messaging, FCM, needs to deliver a message.
public struct FCMAddress: Hashable, Sendable {
  /// The app, by its application ID.
  public let topic: Topic

  /// The app's registration token.
  public let token: FCMToken

  /// Makes an address from an application ID and a token.
  ///
  /// - Throws: ``ValueError`` if the topic has a hyphen, which no application ID has.
  public init(topic: Topic, token: FCMToken) throws(ValueError) {
    guard topic.isOf(.fcm) else {
      throw ValueError("topic", is: "an application ID: letters, digits, underscores and periods")
    }
    self.topic = topic
    self.token = token
  }
}

/// An FCM registration token: FCM's identifier of an app on a device.
public struct FCMToken: Hashable, Sendable {
  /// The maximum size of a token, in bytes.
  public static let maximumSize = 1024

  /// The token, as Firebase gave it to the app.
  public let text: String

  /// Takes 1 to 1024 letters, digits, hyphens, underscores and colons of ASCII.
  ///
  /// - Throws: ``ValueError``.
  public init(_ text: String) throws(ValueError) {
    let rule = "1 to \(Self.maximumSize) letters, digits, -, _ and :"
    guard (1...Self.maximumSize).contains(text.utf8.count) else { throw ValueError("token of FCM", is: rule) }
    if let offset = text.utf8.enumerated().first(where: { !Self.isAllowed($0.element) })?.offset {
      throw ValueError("token of FCM", is: rule, notAt: offset)
    }
    self.text = text
  }

  private static func isAllowed(_ character: UInt8) -> Bool {
    switch character {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"): true
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: ":"): true
    default: false
    }
  }
}

/// Keeps the token out of logs: with the token and the project's credentials, anybody can push to the device.
extension FCMToken: CustomStringConvertible, CustomReflectable {
  /// The size alone; ``text`` gives the token.
  public var description: String { "FCMToken(\(text.utf8.count) bytes)" }

  /// Shows nothing.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
