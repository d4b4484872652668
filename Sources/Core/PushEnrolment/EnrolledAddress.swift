internal import PushCore

// FORMAT.md, section 11: the members of the claims, and of an enrolment, that say where a device's messages go.
extension PushAddress {
  /// The members' names, in the order in which they are compared: [11.12].
  static let memberNames = ["service", "topic", "environment", "token"]

  /// Reads the members of an app's claims; nil if one is missing or wrong.
  ///
  /// A device of APNs has an `environment` and no `service`, and one of FCM the reverse.
  init?(members object: JSONObject, of topic: Topic) {
    guard let token = object["token"]?.string else { return nil }
    if let service = object["service"] {
      guard service == .string(PushService.fcm.rawValue), object["environment"] == nil,
        let token = try? FCMToken(token), let address = try? FCMAddress(topic: topic, token: token)
      else { return nil }
      self = .fcm(address)
    } else {
      guard topic.isOf(.apns),
        let environment = object["environment"]?.string.flatMap(APNsEnvironment.init(rawValue:)),
        let deviceToken = try? DeviceToken(token), deviceToken.text == token
      else { return nil }
      self = .apns(DeviceAddress(topic: topic, environment: environment, token: deviceToken))
    }
  }

  /// The members, in the order in which they are written.
  var members: [(String, String)] {
    switch self {
    case .apns(let address):
      [
        ("topic", address.topic.text), ("environment", address.environment.rawValue),
        ("token", address.token.text),
      ]
    case .fcm(let address):
      [("service", service.rawValue), ("topic", address.topic.text), ("token", address.token.text)]
    }
  }
}
