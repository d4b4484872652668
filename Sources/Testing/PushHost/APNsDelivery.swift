internal import PushSimulation
private import Foundation
internal import SealedPush
public import PushCore
internal import PushReceiver
internal import UserNotifications

/// A payload that APNs accepts, with the identifier of its notification.
struct APNsDelivery: Sendable {
  let payload: JSONObject
  let identifier: String

  init(payload bytes: [UInt8], identifier: String?) throws(PushRefusal) {
    guard bytes.count <= PayloadLimit.notification.bytes else { throw .tooLarge(bytes: bytes.count) }
    do throws(JSONError) {
      payload = try JSONObject(parsing: bytes.span)
    } catch {
      throw .json(error)
    }
    guard payload["aps"]?.object != nil else { throw .noAPS }
    self.identifier = identifier ?? UUID().uuidString
  }

  /// The request that the system passes to the extension: the payload's members, with its localized texts looked up in
  /// the app's strings.
  func request(localizedBy strings: any LocalizedStrings) -> UNNotificationRequest {
    let content = UNMutableNotificationContent(ShownContent(unopened: payload, localizedBy: strings))
    return UNNotificationRequest(identifier: identifier, content: content, trigger: .push)
  }
}

extension Optional<UNNotificationTrigger> {
  /// The trigger of a remote notification (Apple, "UNNotificationRequest", `trigger`).
  static var push: UNNotificationTrigger? {
    #if canImport(Darwin)
      nil  // A test cannot create an object of Apple's class.
    #else
      UNPushNotificationTrigger()
    #endif
  }
}

/// Why APNs does not accept a payload.
public enum PushRefusal: Error, Equatable, Sendable {
  /// The payload is longer than 4096 bytes (`PayloadTooLarge`).
  case tooLarge(bytes: Int)
  /// The payload is not a JSON object.
  case json(JSONError)
  /// The payload has no `aps` object.
  case noAPS
}

extension PushRefusal: CustomStringConvertible {
  /// What is wrong with the payload.
  public var description: String {
    switch self {
    case .tooLarge(let bytes): "APNs refuses the payload: it has \(bytes) bytes, and 4096 are allowed"
    case .json(let error): "APNs refuses the payload: not strict JSON: \(error)"
    case .noAPS: "APNs refuses the payload: it has no 'aps' object"
    }
  }
}
