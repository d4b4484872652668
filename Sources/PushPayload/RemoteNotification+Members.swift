/// Typed views of ``RemoteNotification/otherAPS``.
///
/// A member of another type reads as if it were absent, and stays as it is until the view is set.
/// ``RemoteNotification/checkForSending()`` names it.
extension RemoteNotification {
  /// Whether it is a background update (`content-available` is 1), with no alert, badge or sound beside it.
  public var contentAvailable: Bool {
    get { otherAPS[APSKey.contentAvailable]?.isOne == true }
    set { otherAPS[APSKey.contentAvailable] = newValue ? 1 : nil }
  }

  /// Whether the notification service extension is run before it is shown (`mutable-content` is 1).
  public var mutableContent: Bool {
    get { otherAPS[APSKey.mutableContent]?.isOne == true }
    set { otherAPS[APSKey.mutableContent] = newValue ? 1 : nil }
  }

  /// What the app's Focus filter is asked with (`filter-criteria`).
  public var filterCriteria: String? {
    get { otherAPS[APSKey.filterCriteria]?.string }
    set { otherAPS[APSKey.filterCriteria] = newValue.map(JSONValue.string) }
  }

  /// Whether it is for a Live Activity: `aps` has a member that nothing else has, whatever its value.
  ///
  /// The notification service extension is not run for it.
  public var isLiveActivity: Bool {
    APSKey.liveActivity.contains { otherAPS[$0] != nil }
  }

  /// What it says to a Live Activity; nil if it says nothing, or if a member of it is missing or of another
  /// type.
  ///
  /// Setting it replaces all members of a Live Activity, nil removes them.
  public var liveActivity: LiveActivity? {
    get { try? LiveActivity(aps: otherAPS) }
    set {
      for key in APSKey.liveActivity where newValue == nil {
        otherAPS[key] = nil
      }
      newValue?.write(to: &otherAPS)
    }
  }
}
