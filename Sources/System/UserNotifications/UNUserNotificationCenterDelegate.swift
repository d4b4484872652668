public import Foundation

/// An app's handler of notifications and responses.
///
/// Models Apple's page "UNUserNotificationCenterDelegate". On Apple's systems every method is optional. Here every method
/// has a default implementation, which does what the system does without the method. Some methods have two forms, one
/// with a handler and one that is asynchronous; a delegate implements one of them. The system calls the one with the
/// handler, whose default implementation calls the other.
public protocol UNUserNotificationCenterDelegate: NSObjectProtocol {
  /// Asks how to show a notification while the app is in the foreground.
  func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
    withCompletionHandler completionHandler: @escaping @Sendable (UNNotificationPresentationOptions) -> Void)

  /// Asks how to show a notification while the app is in the foreground.
  func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification
  ) async -> UNNotificationPresentationOptions

  /// Reports a person's response to a notification.
  func userNotificationCenter(
    _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
    withCompletionHandler completionHandler: @escaping @Sendable () -> Void)

  /// Reports a person's response to a notification.
  func userNotificationCenter(
    _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse
  ) async

  /// Asks to show the app's own settings, for one notification or for all.
  func userNotificationCenter(
    _ center: UNUserNotificationCenter, openSettingsFor notification: UNNotification?)
}

// The objects that are passed to another thread are immutable or thread-safe, except the delegate: the app must make it
// safe for calls on any thread.
extension UNUserNotificationCenterDelegate {
  /// Calls the asynchronous form.
  public func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
    withCompletionHandler completionHandler: @escaping @Sendable (UNNotificationPresentationOptions) -> Void
  ) {
    let call = GivenAway(objects: (self as any UNUserNotificationCenterDelegate, center, notification))
    Task {
      let (delegate, center, notification) = call.objects
      completionHandler(await delegate.userNotificationCenter(center, willPresent: notification))
    }
  }

  /// Shows nothing.
  public func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification
  ) async -> UNNotificationPresentationOptions { [] }

  /// Calls the asynchronous form.
  public func userNotificationCenter(
    _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
    withCompletionHandler completionHandler: @escaping @Sendable () -> Void
  ) {
    let call = GivenAway(objects: (self as any UNUserNotificationCenterDelegate, center, response))
    Task {
      let (delegate, center, response) = call.objects
      await delegate.userNotificationCenter(center, didReceive: response)
      completionHandler()
    }
  }

  /// Does nothing.
  public func userNotificationCenter(
    _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse
  ) async {}

  /// Does nothing.
  public func userNotificationCenter(
    _ center: UNUserNotificationCenter, openSettingsFor notification: UNNotification?
  ) {}
}

/// How a notification appears while its app is in the foreground.
///
/// Models Apple's page "UNNotificationPresentationOptions", without its deprecated members.
public struct UNNotificationPresentationOptions: OptionSet, Sendable {
  /// The options as bits.
  public let rawValue: UInt

  /// Takes the options as bits.
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// The number on the icon is updated.
  public static var badge: UNNotificationPresentationOptions { .init(rawValue: 1 << 0) }

  /// The sound plays.
  public static var sound: UNNotificationPresentationOptions { .init(rawValue: 1 << 1) }

  /// The notification is added to the list.
  public static var list: UNNotificationPresentationOptions { .init(rawValue: 1 << 3) }

  /// The notification appears as a banner.
  public static var banner: UNNotificationPresentationOptions { .init(rawValue: 1 << 4) }
}
