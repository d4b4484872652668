public import Foundation

extension NSString {
  /// A text that is looked up in the app's strings when the notification is shown.
  ///
  /// Models Apple's page "localizedUserNotificationString(forKey:arguments:)". Nothing is looked up here: the string
  /// carries the key and the arguments to the system, so it has to be the whole of a title, subtitle, body or argument.
  /// Within a longer text it stays what it is, which nobody can read. An argument may be such a text itself.
  public class func localizedUserNotificationString(forKey key: String, arguments: [Any]?) -> String {
    LocalizedUserNotificationString.carrying(key, (arguments ?? []).map { String(describing: $0) })
  }
}
