public import PushPayload

/// What the person is shown, and what the app gets with it.
public struct ShownContent: Equatable, Sendable {
  /// The first line; empty if there is none.
  public var title = ""
  /// The line below; empty if there is none.
  public var subtitle = ""
  /// The text; empty if there is none.
  public var body = ""
  /// The sound; null is silence.
  public var sound: Sound?
  /// The number on the app's icon; null leaves it as it is.
  public var badge: Int?
  /// A registered category's identifier; empty if there is none.
  public var category = ""
  /// What groups notifications; empty if there is nothing.
  public var threadIdentifier = ""
  /// The window to bring forward; null if none is named.
  public var targetContentIdentifier: String?
  /// How much it may disturb.
  public var interruptionLevel = InterruptionLevel.active
  /// The rank in the summary, from 0 to 1.
  public var relevanceScore = 0.0
  /// What the app gets.
  public var userInfo: [String: PropertyList] = [:]

  /// Makes an empty content.
  public init() {}

  /// Everything that an opened notification says, and nothing else.
  ///
  /// The app gets neither the format's own member nor one that stands for a message that was not opened.
  init(
    _ notification: RemoteNotification, payload: JSONObject, isSigned: Bool, envelopeKey: EnvelopeKey
  ) {
    let alert = notification.alert
    // A text that is to be localized shows its key, as the system shows a key that it does not find.
    title = Self.text(alert?.title, orKey: alert?.other["title-loc-key"])
    subtitle = Self.text(alert?.subtitle, orKey: alert?.other["subtitle-loc-key"])
    body = Self.text(alert?.body, orKey: alert?.other["loc-key"])
    sound = notification.sound
    badge = notification.badge
    category = notification.category ?? ""
    threadIdentifier = notification.threadID ?? ""
    targetContentIdentifier = notification.targetContentID
    interruptionLevel = notification.interruptionLevel ?? .active
    relevanceScore = notification.relevanceScore ?? 0
    userInfo = PropertyList.dictionary(payload)
    for key in [EnvelopeKey.reserved, envelopeKey.text] { userInfo[key] = nil }
    if !isSigned { lowerToAnonymous() }
  }

  /// A text, or the key that stands for it where there is none.
  private static func text(_ text: String?, orKey key: JSONValue?) -> String {
    guard let text, !text.isEmpty else { return key?.string ?? "" }
    return text
  }

  /// Who breaks through a person's silence must be known.
  private mutating func lowerToAnonymous() {
    if case .critical(let name, _)? = sound { sound = .named(name) }
    switch interruptionLevel {
    case .timeSensitive, .critical: interruptionLevel = .active
    case .active, .passive: break
    }
  }
}
