import SealedPush
import UIKit
import UserNotifications

/// Passes on what iOS says to the app: its token, background pushes, and whether it is in front.
final class AppDelegate: NSObject, UIApplicationDelegate {
  /// Nil if the app is built wrongly: the system's log says what is missing.
  let push: LunchPush?

  override init() {
    do {
      push = try LunchPush()
    } catch {
      SharedPush.systemLog.observe(noReceiver: error)
      push = nil
    }
    super.init()
  }

  func application(
    _ application: UIApplication,
    didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    UNUserNotificationCenter.current().delegate = self
    application.registerForRemoteNotifications()
    Task { [push] in await push?.registration.launch(as: Session.persons) }
    return true
  }

  func application(_ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken token: Data)
  {
    guard let token = DeviceToken([UInt8](token)) else { return }
    Task { [push] in await push?.registration.know(token: token) }
  }

  func application(
    _ application: UIApplication, didFailToRegisterForRemoteNotificationsWithError error: any Error
  ) {
    Task { [push] in await push?.registration.know(failure: error) }
  }

  func application(
    _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any]
  ) async -> UIBackgroundFetchResult {
    guard let push else { return .noData }
    return await push.receive(push.shared.receiver.envelope(in: userInfo)) ? .newData : .noData
  }
}

extension AppDelegate: UNUserNotificationCenterDelegate {
  /// Shows notifications while the app is in the foreground, too.
  nonisolated func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification
  ) async -> UNNotificationPresentationOptions {
    [.banner, .list, .sound, .badge]
  }
}
