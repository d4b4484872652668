/// A remote notification as values: what Apple's `aps` object says, and the app's own members beside it.
///
/// A backend writes one in a few lines:
///
///     var notification = RemoteNotification(title: "Ada", body: "Lunch at noon?")
///     notification.sound = .default
///     notification.threadID = "chat-42"
///     notification.custom["chat"] = 42
///     let json = try notification.payload().encoded()
///
/// No member is lost on the way in or out. ``checkForSending()`` and ``warnings`` tell a backend what is wrong
/// with one or odd. Source: Apple, "Generating a remote notification".
public struct RemoteNotification: Sendable {
  /// What is shown; nil shows nothing.
  public var alert: Alert?

  /// The number on the app's icon, not below 0: 0 clears it, nil leaves it as it is.
  public var badge: Int?

  /// The sound that is played; nil is silence.
  public var sound: Sound?

  /// Members of a sound in its object form that ``Sound`` does not hold, kept exactly; written only beside a
  /// sound.
  ///
  /// An object whose `critical` is 0 or absent reads as ``Sound/named(_:)``, and its `critical` and `volume`
  /// are here.
  public var otherSound: JSONObject

  /// The identifier that groups notifications (`thread-id`).
  public var threadID: String?

  /// The identifier of a registered category, which brings the buttons.
  public var category: String?

  /// The identifier of the window to bring forward (`target-content-id`).
  public var targetContentID: String?

  /// How much it may disturb (`interruption-level`).
  public var interruptionLevel: InterruptionLevel?

  /// The rank in the summary, from 0 to 1; a Live Activity's among the app's others, not below 0 (`relevance-score`).
  public var relevanceScore: Double?

  /// All other members of `aps`, kept exactly: `content-available`, `mutable-content`, `filter-criteria`,
  /// `timestamp` and the like.
  ///
  /// Those that Apple defines have typed views, such as ``mutableContent`` and ``liveActivity``; of the rest
  /// ``warnings`` tells.
  public var otherAPS: JSONObject

  /// The app's own members beside `aps`, of any JSON type, kept exactly.
  public var custom: JSONObject

  /// Makes a notification of its parts.
  ///
  /// The values are checked when it is written, by ``payload()``.
  public init(
    alert: Alert? = nil, badge: Int? = nil, sound: Sound? = nil, otherSound: JSONObject = [:],
    threadID: String? = nil, category: String? = nil, targetContentID: String? = nil,
    interruptionLevel: InterruptionLevel? = nil, relevanceScore: Double? = nil,
    otherAPS: JSONObject = [:], custom: JSONObject = [:]
  ) {
    self.alert = alert
    self.badge = badge
    self.sound = sound
    self.otherSound = otherSound
    self.threadID = threadID
    self.category = category
    self.targetContentID = targetContentID
    self.interruptionLevel = interruptionLevel
    self.relevanceScore = relevanceScore
    self.otherAPS = otherAPS
    self.custom = custom
  }

  /// Makes a notification that shows text and does no more.
  public init(title: String? = nil, subtitle: String? = nil, body: String) {
    self.init(alert: Alert(title: title, subtitle: subtitle, body: body))
  }

  /// Whether there is text to show: a title or a body, or the key of a localized one, that is not empty.
  public var hasText: Bool { alert?.hasText == true }
}

extension RemoteNotification: Equatable {
  /// Whether all parts are equal, text compared by its bytes.
  public static func == (left: RemoteNotification, right: RemoteNotification) -> Bool {
    left.alert == right.alert && left.badge == right.badge
      && left.sound == right.sound && left.otherSound == right.otherSound
      && left.threadID.isExactly(right.threadID) && left.category.isExactly(right.category)
      && left.targetContentID.isExactly(right.targetContentID)
      && left.interruptionLevel == right.interruptionLevel && left.relevanceScore == right.relevanceScore
      && left.otherAPS == right.otherAPS && left.custom == right.custom
  }
}

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

extension JSONValue {
  /// Whether it is the number 1, written so.
  var isOne: Bool { number?.literal == "1" }
}

/// How much a notification may disturb.
///
/// The raw values are those of `aps.interruption-level`.
public enum InterruptionLevel: String, Sendable, CaseIterable {
  /// Added to the list, without lighting the screen or playing a sound.
  case passive
  /// Shown at once, with light and sound. The system's default.
  case active
  /// Shown at once, through Focus and the scheduled summary.
  case timeSensitive = "time-sensitive"
  /// Shown at once, past the mute switch; needs Apple's entitlement.
  case critical
}
