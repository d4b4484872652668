internal import PushReceiver
internal import UserNotifications

extension LocalizedStrings {
  /// A content's text as the system shows it.
  func shown(_ text: String) -> String {
    #if canImport(Darwin)
      text
    #else
      LocalizedUserNotificationString.resolve(text) { self.text(forKey: $0, arguments: $1) }
    #endif
  }
}
