public import Foundation

/// What an app does with its notifications.
///
/// Models Apple's page "UNUserNotificationCenterDelegate". There every method is optional; here every one has an
/// implementation, which does what the system does for a delegate that lacks the method. A method has two forms, one
/// with a handler and one that is asynchronous, of which a delegate implements one. The system calls the one with the
/// handler, and if it is not implemented, that calls the other.
public protocol UNUserNotificationCenterDelegate: NSObjectProtocol {
  /// Asks how a notification is to appear while the app is in front.
  func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
    withCompletionHandler completionHandler: @escaping @Sendable (UNNotificationPresentationOptions) -> Void)

  /// Asks how a notification is to appear while the app is in front.
  @concurrent
  func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification
  ) async -> UNNotificationPresentationOptions

  /// Says what a person did with a notification.
  func userNotificationCenter(
    _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
    withCompletionHandler completionHandler: @escaping @Sendable () -> Void)

  /// Says what a person did with a notification.
  @concurrent
  func userNotificationCenter(
    _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse
  ) async

  /// Asks for the app's own settings, of one notification or of all.
  func userNotificationCenter(
    _ center: UNUserNotificationCenter, openSettingsFor notification: UNNotification?)
}

// What is given away is immutable or locks itself, but for the delegate, which is the app's and called on any thread.
extension UNUserNotificationCenterDelegate {
  /// Asks the asynchronous form.
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

  /// Lets nothing appear.
  @concurrent
  public func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification
  ) async -> UNNotificationPresentationOptions { [] }

  /// Tells the asynchronous form.
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
  @concurrent
  public func userNotificationCenter(
    _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse
  ) async {}

  /// Does nothing.
  public func userNotificationCenter(
    _ center: UNUserNotificationCenter, openSettingsFor notification: UNNotification?
  ) {}
}
