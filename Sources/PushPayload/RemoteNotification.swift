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
  public var hasText: Bool {
    guard let alert else { return false }
    if alert.title?.isEmpty == false || alert.body?.isEmpty == false { return true }
    return [AlertKey.titleLocKey, .locKey].contains { alert.other[$0]?.string?.isEmpty == false }
  }
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
