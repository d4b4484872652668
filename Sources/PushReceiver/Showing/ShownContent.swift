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
  /// What a Focus judges it by; null if nothing is said.
  public var filterCriteria: String?
  /// How much it may disturb.
  public var interruptionLevel = InterruptionLevel.active
  /// The rank in the summary, from 0 to 1.
  public var relevanceScore = 0.0
  /// What is shown beside the text: files that a step has fetched.
  public var attachments: [ShownAttachment] = []
  /// What the app gets.
  public var userInfo: [String: PropertyList] = [:]

  /// Makes an empty content.
  public init() {}

  /// Everything that an opened message says, and nothing else.
  ///
  /// The app gets neither the format's own member nor one that stands for a message that was not opened.
  init(_ message: OpenedMessage, strings: any LocalizedStrings, envelopeKey: EnvelopeKey) {
    self.init(message.notification, message.payload, strings: strings, envelopeKey: envelopeKey)
    if message.opened.sender == nil { lowerToAnonymous() }
  }

  /// Everything that another system's message says, and nothing else.
  init(_ message: OtherMessage, strings: any LocalizedStrings, envelopeKey: EnvelopeKey) {
    self.init(message.notification, message.payload, strings: strings, envelopeKey: envelopeKey)
    lowerToAnonymous()
  }

  private init(
    _ notification: RemoteNotification, _ payload: JSONObject, strings: any LocalizedStrings,
    envelopeKey: EnvelopeKey
  ) {
    if let alert = notification.alert {
      setTexts(alert, from: strings)
      // A table may have an empty text for a key.
      if !hasText { setTexts(alert, from: NoStrings()) }
    }
    sound = notification.sound
    badge = notification.badge
    category = notification.category ?? ""
    threadIdentifier = notification.threadID ?? ""
    targetContentIdentifier = notification.targetContentID
    filterCriteria = notification.otherAPS["filter-criteria"]?.string
    interruptionLevel = notification.interruptionLevel ?? .active
    relevanceScore = notification.relevanceScore ?? 0
    userInfo = PropertyList.dictionary(payload)
    for key in [EnvelopeKey.reserved, envelopeKey.text] { userInfo[key] = nil }
  }

  /// Whether there is a text to show: iOS may show the original of a notification without any.
  var hasText: Bool { !title.isEmpty || !body.isEmpty }

  private mutating func setTexts(_ alert: Alert, from strings: any LocalizedStrings) {
    title = strings.text(
      alert.title, key: alert.other["title-loc-key"], arguments: alert.other["title-loc-args"])
    subtitle = strings.text(
      alert.subtitle, key: alert.other["subtitle-loc-key"], arguments: alert.other["subtitle-loc-args"])
    body = strings.text(alert.body, key: alert.other["loc-key"], arguments: alert.other["loc-args"])
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
