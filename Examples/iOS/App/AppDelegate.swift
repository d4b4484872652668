import SealedPush
import UIKit
import UserNotifications

/// Hears from iOS what is for the device: its token, and background pushes.
final class AppDelegate: NSObject, UIApplicationDelegate {
  /// Nil if the app is built wrongly: the system's log says what is missing.
  let device: Device?

  override init() {
    do {
      let shared = try Shared()
      // The extension writes into it before the phone is first unlocked.
      _ = try shared.folder.unprotected("notes")
      device = try Device(shared, Backend())
    } catch {
      Shared.systemLog.observe(noReceiver: error)
      device = nil
    }
    super.init()
  }

  func application(
    _ application: UIApplication,
    didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    UNUserNotificationCenter.current().delegate = self
    application.registerForRemoteNotifications()
    return true
  }

  /// Enrols at each launch: the backend takes what it knows already, and the keys are replaced once a month.
  func application(_ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken token: Data)
  {
    guard let device, let token = DeviceToken([UInt8](token)) else { return }
    Task {
      await device.know(.success(token))
      await device.attempt { try await $0.enrol() }
    }
  }

  func application(
    _ application: UIApplication, didFailToRegisterForRemoteNotificationsWithError error: any Error
  ) {
    guard let device else { return }
    Task {
      await device.know(.failure(error))
      await device.attempt { _ in throw error }
    }
  }

  func application(
    _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any]
  ) async -> UIBackgroundFetchResult {
    guard let device else { return .noData }
    let envelope = device.envelope(in: userInfo)
    switch await device.attempt({ try await $0.answer(envelope) }) {
    case true?: return .newData
    case false?: return .noData
    case nil: return .failed
    }
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
