internal import PushPayload
internal import PushReceiver

/// Why the system does not run a notification service extension (Apple, "Modifying content in newly delivered
/// notifications").
public enum NotRunReason: String, Sendable {
  /// `mutable-content` is not the number 1.
  case noMutableContent = "no-mutable-content"
  /// There is no alert with a text.
  case noAlert = "no-alert"
  /// The person has turned alerts off.
  case alertsOff = "alerts-off"

  init?(_ payload: JSONObject, alertsAreOn: Bool = true) {
    let aps = payload["aps"]?.object ?? [:]
    if aps["mutable-content"]?.number?.integer != 1 {
      self = .noMutableContent
    } else if !ShownContent(unopened: payload).hasText && !Self.isLocalized(aps) {
      self = .noAlert
    } else if !alertsAreOn {
      self = .alertsOff
    } else {
      return nil
    }
  }

  private static func isLocalized(_ aps: JSONObject) -> Bool {
    let alert = aps["alert"]?.object ?? [:]
    return [alert["title-loc-key"], alert["loc-key"]].contains { $0?.string?.isEmpty == false }
  }
}
