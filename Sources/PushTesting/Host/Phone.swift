public import PushReceiver

/// The settings of a phone.
public struct Phone: Sendable {
  /// The app's texts: what a key of the visible payload, or of `localizedUserNotificationString`, shows.
  public var strings: any LocalizedStrings = NoStrings()

  /// Whether the person lets the app show alerts.
  public var alertsAreOn = true

  /// Whether Apple has given the app the filtering entitlement, so that an empty content shows nothing.
  public var mayFilter = false

  /// Whether one instance of the extension serves all pushes, or each gets one in the same process; iOS does both.
  public var reusesInstance = false

  /// Makes the settings of a phone as it comes: alerts are on, the app has no texts and no entitlement.
  public init() {}
}
