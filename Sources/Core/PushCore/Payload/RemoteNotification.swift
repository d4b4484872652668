/// A remote notification as values: Apple's `aps` object, and the app's custom members beside it.
///
/// A backend writes one in a few lines:
///
///     var notification = RemoteNotification(title: "Ada", body: "Lunch at noon?")
///     notification.sound = .default
///     notification.threadID = "chat-42"
///     notification.custom["chat"] = 42
///     let json = try notification.payload().encoded()
///
/// Reading and writing keep every member. ``checkForSending()`` finds what is invalid, and ``warnings`` what is
/// probably a mistake. Source: Apple, "Generating a remote notification".
public struct RemoteNotification: Sendable {
  /// The text to show; nil shows nothing.
  public var alert: NotificationAlert?

  /// The number on the app's icon, not negative: 0 clears it, nil leaves it unchanged.
  public var badge: Int?

  /// The sound to play; nil plays none.
  public var sound: Sound?

  /// Members of a sound's object form that ``Sound`` does not model, kept unchanged and written only with a sound.
  ///
  /// An object whose `critical` is 0 or absent is read as ``Sound/named(_:)``; its `critical` and `volume` are here.
  public var otherSound: JSONObject

  /// The identifier that groups notifications (`thread-id`).
  public var threadID: String?

  /// The identifier of a registered category, which defines the buttons.
  public var category: String?

  /// The identifier of the window to bring forward (`target-content-id`).
  public var targetContentID: String?

  /// How much the notification may interrupt (`interruption-level`).
  public var interruptionLevel: InterruptionLevel?

  /// The rank in the summary, from 0 to 1; for a Live Activity the rank among the app's activities, not negative
  /// (`relevance-score`).
  public var relevanceScore: Double?

  /// All other members of `aps`, kept unchanged, such as `content-available`, `mutable-content`, `filter-criteria` and
  /// `timestamp`.
  ///
  /// Members that Apple defines have typed views, such as ``mutableContent`` and ``liveActivity``; ``warnings`` reports
  /// the others.
  public var otherAPS: JSONObject

  /// The app's own members beside `aps`, of any JSON type, kept unchanged.
  public var custom: JSONObject

  /// Makes a notification from its parts.
  ///
  /// ``payload()`` checks the values when it writes them.
  public init(
    alert: NotificationAlert? = nil, badge: Int? = nil, sound: Sound? = nil, otherSound: JSONObject = [:],
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

  /// Makes a notification that only shows text.
  public init(
    title: String? = nil, subtitle: String? = nil, body: String, badge: Int? = nil, sound: Sound? = nil,
    threadID: String? = nil, category: String? = nil, interruptionLevel: InterruptionLevel? = nil,
    custom: JSONObject = [:]
  ) {
    self.init(
      alert: NotificationAlert(title: title, subtitle: subtitle, body: body), badge: badge, sound: sound,
      threadID: threadID, category: category, interruptionLevel: interruptionLevel, custom: custom)
  }

  /// Whether there is text to show: a title, a body, or a localized title's or body's key that is not empty.
  ///
  /// A subtitle alone does not count (FORMAT.md, rule 6.4).
  public var hasText: Bool { alert?.hasText == true }
}

extension RemoteNotification: Equatable {
  /// Whether all parts are equal.
  ///
  /// Text is compared by its UTF-8 bytes.
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
/// A member of the wrong type reads as absent and is kept until the view is set.
/// ``RemoteNotification/checkForSending()`` throws an error that names it.
extension RemoteNotification {
  /// Whether this is a background update (`content-available` is 1), which has no alert, badge or sound.
  public var contentAvailable: Bool {
    get { otherAPS[APSKey.contentAvailable]?.isOne == true }
    set { otherAPS[APSKey.contentAvailable] = newValue ? 1 : nil }
  }

  /// Whether the notification service extension runs before the notification is shown (`mutable-content` is 1).
  public var mutableContent: Bool {
    get { otherAPS[APSKey.mutableContent]?.isOne == true }
    set { otherAPS[APSKey.mutableContent] = newValue ? 1 : nil }
  }

  /// The text that the app's Focus filter evaluates (`filter-criteria`).
  public var filterCriteria: String? {
    get { otherAPS[APSKey.filterCriteria]?.string }
    set { otherAPS[APSKey.filterCriteria] = newValue.map(JSONValue.string) }
  }

  /// Whether this is for a Live Activity: `aps` has a member that only Live Activities have, whatever its value.
  ///
  /// The notification service extension does not run for it.
  public var isLiveActivity: Bool {
    APSKey.liveActivity.contains { otherAPS[$0] != nil }
  }

  /// Makes a notification for a Live Activity, with the alert that is shown when it starts or changes.
  ///
  /// Seal it with a ``PushType/liveActivity`` policy.
  public init(liveActivity: LiveActivity, alert: NotificationAlert? = nil) {
    self.init(alert: alert)
    self.liveActivity = liveActivity
  }

  /// The content for a Live Activity; nil if there is none, or if a required member is missing or of the wrong type.
  ///
  /// Setting a value replaces all members of a Live Activity; setting nil removes them.
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
  /// Whether the value is the number 1, written as `1`.
  var isOne: Bool { number?.literal == "1" }
}

/// How much a notification may interrupt.
///
/// The raw values are those of `aps.interruption-level`.
public enum InterruptionLevel: String, Sendable, CaseIterable {
  /// Added to the list without lighting up the screen or playing a sound.
  case passive
  /// Shown immediately; lights up the screen and plays a sound. The system's default.
  case active
  /// Shown immediately, even during Focus and outside the scheduled summary.
  case timeSensitive = "time-sensitive"
  /// Shown immediately, with sound even if the phone is muted. Needs an entitlement from Apple.
  case critical
}

/// Keeps a text out of logs.
extension RemoteNotification: CustomStringConvertible, CustomReflectable {
  /// The size of the payload alone.
  public var description: String { "notification, \((try? encoded().count) ?? 0) bytes" }

  /// Shows nothing.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
