public import Foundation

/// The extension that the system runs before it shows a remote notification with `mutable-content`.
///
/// Models Apple's pages "UNNotificationServiceExtension" and "Modifying content in newly delivered notifications": the
/// methods to override. Like Apple's, the class is not isolated to an actor, and the handler is not Sendable. The test
/// host decides when the methods are called, and what is shown if the handler is never called.
open class UNNotificationServiceExtension: NSObject {
  /// Asks for the content to show, within about 30 seconds.
  ///
  /// An extension overrides it. The default implementation returns the original content, which the system also shows if
  /// the handler is not called in time.
  open func didReceive(
    _ request: UNNotificationRequest,
    withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
  ) {
    contentHandler(request.content)
  }

  /// Tells the extension that its time is almost up, and that it must call the handler now.
  open func serviceExtensionTimeWillExpire() {}
}
