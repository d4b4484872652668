import PushCore

/// What `--push-type` names: a push type of APNs, or that of a message that FCM carries.
struct MessageType: Sendable {
  /// The push type whose content the message has.
  let pushType: PushType
  /// The service that carries the message, where no registration says it.
  let service: PushService

  /// The type's name: `apns-push-type`, `fcm` or `fcm-data`.
  var name: String { service == .fcm ? pushType.nameAtFCM ?? "" : pushType.rawValue }

  /// All types, those of FCM last.
  static let all =
    PushType.allCases.map { MessageType(pushType: $0, service: .apns) }
    + PushType.allCases.filter { $0.nameAtFCM != nil }.map { MessageType(pushType: $0, service: .fcm) }

  /// All names, in the order of ``all``.
  static let names = all.map(\.name)
}

extension Option<MessageType> {
  static var pushType: Self {
    let names = MessageType.names
    return Self(
      "--push-type", "TYPE", rule: "\(names.dropLast().joined(separator: ", ")) or \(names.last ?? "")",
      choices: names
    ) { text in MessageType.all.first { $0.name == text } }
  }
}

extension FileInput {
  /// A payload from a file: of FCM the member `data`, alone or in FCM's message.
  static func payload(from path: String?, over service: PushService) throws(ToolError) -> JSONObject {
    let payload = try payload(from: path)
    return service == .fcm ? FCMPayload(payload).data : payload
  }
}
