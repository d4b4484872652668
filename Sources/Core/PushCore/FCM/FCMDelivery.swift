/// How FCM delivers a message: the member `android` of FCM's message (FORMAT.md, section 9).
public struct FCMDelivery: Hashable, Sendable {
  /// How urgently FCM delivers a message.
  public enum Priority: String, Sendable {
    /// Immediately, even to a phone that sleeps. Google lowers it for apps that then show nothing.
    case high = "HIGH"
    /// When it suits the phone's power use.
    case normal = "NORMAL"
  }

  /// The longest time that FCM keeps a message, in seconds: 28 days.
  public static let maximumTimeToLive: Int64 = 2_419_200

  /// `priority`.
  public let priority: Priority

  /// `ttl`, in seconds: how long FCM keeps the message for a phone that it does not reach; 0 for a single attempt.
  public let timeToLive: Int64

  /// `collapse_key`; nil unless the caller has chosen one.
  public let collapseKey: String?

  /// Checks the options of a message of a push type that FCM carries.
  ///
  /// - Throws: ``HeaderError``.
  package init(pushType: PushType, claims: Claims, options: HeaderOptions) throws(HeaderError) {
    priority = try pushType.checked(priority: options.priority) == .immediate ? .high : .normal
    collapseKey = try HeaderOptions.checked(collapseID: options.collapseID)
    let end = try pushType.checked(expiration: options.expiration, claims: claims)
    timeToLive = min(max(0, end.seconds - claims.issuedAt.seconds), Self.maximumTimeToLive)
  }

  /// The member `android`.
  package var json: JSONObject {
    var object: JSONObject = ["priority": .string(priority.rawValue), "ttl": .string("\(timeToLive)s")]
    if let collapseKey { object["collapse_key"] = .string(collapseKey) }
    return object
  }
}

extension PushType {
  /// The name of this type where FCM carries the message; nil if FCM carries none.
  public var nameAtFCM: String? {
    switch self {
    case .alert: "fcm"
    case .background: "fcm-data"
    case .voip, .complication, .pushToTalk, .liveActivity: nil
    }
  }
}
