private import Foundation
internal import PushExtension
public import PushPayload
internal import PushReceiver
internal import UserNotifications

/// A payload that APNs has taken, as it comes to the phone.
struct APNsDelivery: Sendable {
  let payload: JSONObject
  let identifier: String

  init(_ bytes: [UInt8], collapseID: String?) throws(PushRefusal) {
    guard bytes.count <= PayloadLimit.notification.bytes else { throw .tooLarge(bytes: bytes.count) }
    do throws(JSONError) {
      payload = try JSONObject(parsing: bytes.span)
    } catch {
      throw .json(error)
    }
    guard payload["aps"]?.object != nil else { throw .noAPS }
    identifier = collapseID ?? UUID().uuidString
  }

  /// What the system hands to the extension: the payload's members, and the texts of keys as the phone has them.
  func request(localizedBy strings: any LocalizedStrings) -> UNNotificationRequest {
    var shown = ShownContent(unopened: payload)
    let alert = payload["aps"]?.object?["alert"]?.object ?? [:]
    shown.title = strings.text(shown.title, key: alert["title-loc-key"], arguments: alert["title-loc-args"])
    shown.subtitle = strings.text(
      shown.subtitle, key: alert["subtitle-loc-key"], arguments: alert["subtitle-loc-args"])
    shown.body = strings.text(shown.body, key: alert["loc-key"], arguments: alert["loc-args"])
    return UNNotificationRequest(
      identifier: identifier, content: UNMutableNotificationContent(shown), trigger: nil)
  }
}

/// Why APNs does not take a payload.
public enum PushRefusal: Error, Equatable, Sendable {
  /// It is longer than 4096 bytes (`PayloadTooLarge`).
  case tooLarge(bytes: Int)
  /// It is not JSON with an object at the top.
  case json(JSONError)
  /// It has no `aps` object.
  case noAPS
}
