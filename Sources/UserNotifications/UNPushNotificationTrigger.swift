/// What makes a remote notification appear.
///
/// Models Apple's page "UNPushNotificationTrigger". Apps cannot make one, here or there: the test host does.
public class UNPushNotificationTrigger: UNNotificationTrigger {
  /// Makes a trigger, for a test host.
  package init() { super.init(repeats: false) }
}
