internal import PushCommands
internal import PushDelivery
internal import PushSealer

/// What APNs' answer, or the lack of one, means, in words.
extension APNsResponse {
  /// The answer in a line.
  var text: String {
    let repeated = mayBeDuplicate ? "; an earlier attempt had no answer, so APNs may have it twice" : ""
    guard isAccepted else { return "APNs refused the push: \(status) \(name): \(meaning)" + repeated }
    return "accepted by APNs: \(id ?? "without an ID")" + (uniqueID.map { " (\($0))" } ?? "") + repeated
  }

  /// The reason as APNs names it.
  private var name: String { reason?.rawValue ?? "without a reason" }

  private var meaning: String {
    switch (verdict, status) {
    case (.accepted, _): "accepted"
    case (.quarantineDevice, _):
      "the token belongs to the other environment or another app, or is not a token"
    case (.removeToken, _): "the token is no longer valid"
    case (.discard, _): "trying again would not help"
    case (.keep, 403): "the key, its ID, the team's ID or this machine's clock is wrong"
    case (.keep, _): "APNs may accept it later"
    }
  }

  private var hint: String? {
    switch verdict {
    case .quarantineDevice:
      "--sandbox is for apps that Xcode installed; leave it out for those of the App Store"
    case .removeToken: "remove it, unless the app has registered it since"
    case .accepted, .discard, .keep: nil
    }
  }

  /// How a push that is not accepted ends the tool.
  var exitStatus: ExitStatus {
    switch (verdict, status) {
    case (.keep, 403): .noPermission
    case (.keep, _): .pending
    default: .badData
    }
  }

  /// The error of a push that is not accepted.
  func error(of push: SealedNotification) -> ToolError {
    ToolError(exitStatus, text, hint: hint ?? push.hint(for: exitStatus))
  }

  /// A word for programs.
  var word: String {
    switch verdict {
    case .accepted: "accepted"
    case .quarantineDevice: "quarantine-device"
    case .removeToken: "remove-token"
    case .discard: "discard"
    case .keep: "keep"
    }
  }
}

extension SealedNotification {
  /// Its message ID, which a retry repeats.
  var messageID: String? { headers.fields.first { $0.name == "apns-id" }?.value }

  /// How to try it again after it has ended the tool with this status; nil if it is not to be.
  fileprivate func hint(for status: ExitStatus) -> String? {
    guard status == .pending else { return nil }
    return messageID.map { "to try it again, and have the phone show only one: --message-id \($0)" }
  }
}

extension DeliveryError {
  /// How a push without an answer ends the tool.
  var exitStatus: ExitStatus {
    switch cause {
    case .routeStopped, .badDevices, .equalRefusals: .noPermission
    case .wrongTopic, .invalidRequest, .notSealed: .badData
    case .noServer, .noKey: .usage
    case .cancelled, .shutDown: .failed
    case .routeHeldUp, .noConnection, .notAPNs, .noAnswer: .pending
    }
  }

  /// The error of a push without an answer.
  func toolError(of push: SealedNotification) -> ToolError {
    ToolError(
      exitStatus, (mayBeDelivered ? "perhaps not delivered: " : "not delivered: ") + "\(self)",
      hint: push.hint(for: exitStatus))
  }

  /// A word for programs.
  var word: String {
    switch cause {
    case .wrongTopic: "other-topic"
    case .cancelled, .shutDown: "cancelled"
    case .routeStopped, .badDevices, .equalRefusals: "route-stopped"
    case .notAPNs: "not-apns"
    case .routeHeldUp: "route-held-up"
    case .noServer: "no-server"
    case .noKey: "no-key"
    case .noConnection: "no-connection"
    case .noAnswer: "no-answer"
    case .invalidRequest: "invalid-request"
    case .notSealed: "not-sealed"
    }
  }
}
