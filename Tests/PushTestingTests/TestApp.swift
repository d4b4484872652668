#if !canImport(Darwin)
  import Foundation
  import Locks
  import UserNotifications

  /// An app whose delegate does what a test says.
  final class TestApp: NSObject, UNUserNotificationCenterDelegate {
    typealias Present = (UNNotification, @escaping (UNNotificationPresentationOptions) -> Void) -> Void
    typealias Respond = (UNNotificationResponse, @escaping () -> Void) -> Void

    private let present: Present
    private let respond: Respond

    init(
      presenting present: @escaping Present = { $1([]) }, responding respond: @escaping Respond = { $1() }
    ) {
      self.present = present
      self.respond = respond
    }

    func userNotificationCenter(
      _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
      withCompletionHandler completionHandler: @escaping @Sendable (UNNotificationPresentationOptions) -> Void
    ) {
      present(notification, completionHandler)
    }

    func userNotificationCenter(
      _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
      withCompletionHandler completionHandler: @escaping @Sendable () -> Void
    ) {
      respond(response, completionHandler)
    }
  }

  /// An app whose delegate has the asynchronous methods.
  final class AsynchronousApp: NSObject, UNUserNotificationCenterDelegate {
    func userNotificationCenter(
      _ center: UNUserNotificationCenter, willPresent notification: UNNotification
    ) async -> UNNotificationPresentationOptions {
      [.list]
    }

    func userNotificationCenter(
      _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse
    ) async {}
  }

  /// An app whose delegate has no methods.
  final class SilentApp: NSObject, UNUserNotificationCenterDelegate {}
#endif
