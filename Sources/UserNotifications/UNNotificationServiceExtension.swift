public import Foundation

/// What the system runs before it shows a remote notification with `mutable-content`.
///
/// Models Apple's pages "UNNotificationServiceExtension" and "Modifying content in newly delivered notifications": the
/// methods to override. Like Apple's the class is bound to no actor, and the handler is not Sendable. When the methods
/// are called, and what is shown if nobody calls the handler, is the host's part.
open class UNNotificationServiceExtension: NSObject {
  /// Asks for the content to show, within about 30 seconds.
  ///
  /// An extension overrides it. What is not overridden hands back the original, which is also what the system shows if nothing is handed back.
  open func didReceive(
    _ request: UNNotificationRequest,
    withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
  ) {
    contentHandler(request.content)
  }

  /// Says that time is up, and that the content is to be handed back now.
  open func serviceExtensionTimeWillExpire() {}
}
