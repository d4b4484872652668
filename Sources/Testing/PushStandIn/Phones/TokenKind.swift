/// What a device token is for: a push whose type has tokens of its own goes to one of these alone.
///
/// Source: Apple, "Sending notification requests to APNs".
public enum TokenKind: String, CaseIterable, Sendable {
  /// The app's token, from `registerForRemoteNotifications()`: for `alert` and `background`.
  case app
  /// From PushKit, for a complication of a watch.
  case complication
  /// From WidgetKit, for a control.
  case controls
  /// From PushKit, for a File Provider extension.
  case fileProvider = "fileprovider"
  /// From ActivityKit, for a Live Activity.
  case liveActivity = "liveactivity"
  /// From Core Location, for a Location Push Service Extension.
  case location
  /// From the Push to Talk framework, for a channel.
  case pushToTalk = "pushtotalk"
  /// From PushKit, for calls.
  case voip
  /// From WidgetKit, for widgets.
  case widgets
}
