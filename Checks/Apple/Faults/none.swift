// No fault: the same code as in the other files, done right.
import Darwin
import UserNotifications

func text() -> String { "\(1)" }

@available(iOS 26, *)
func count(_ bytes: [UInt8]) -> Int { bytes.span.count }

func variable() -> Bool { unsafe getenv("HOME") != nil }

final class Service: UNNotificationServiceExtension {
  override func didReceive(
    _ request: UNNotificationRequest,
    withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
  ) { contentHandler(request.content) }
}
