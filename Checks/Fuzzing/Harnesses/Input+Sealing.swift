import PushCore
import PushSealer

extension Input {
  /// A sealer's policy.
  mutating func policy() -> SealingPolicy {
    guard flag() else { return SealingPolicy() }
    let title = text()
    let key = (try? EnvelopeKey(text())) ?? .default
    var policy = SealingPolicy(
      placeholderTitle: title, playsSound: flag(), envelopeKey: key, padding: choice(of: Padding.allCases),
      pushType: choice(of: PushType.allCases), fitting: fitting())
    for _ in 0..<byte() % 4 { policy.visible.insert(VisibleMember(name: memberName())) }
    return policy
  }

  /// How long a message is valid.
  mutating func lifetime() -> Lifetime { flag() ? Lifetime(seconds: integer()) ?? .zero : .maximum }

  /// The message's header options for APNs.
  mutating func headers() -> HeaderOptions {
    guard flag() else { return HeaderOptions() }
    let priority = flag() ? choice(of: Priority.allCases) : nil
    let expiration = flag() ? UnixTime(clamping: integer()) : nil
    return HeaderOptions(priority: priority, collapseID: optionalText(), expiration: expiration)
  }

  /// A notification, or the rest of the input as a payload if it is a JSON object.
  mutating func content() -> SealJob.Content {
    guard flag() else { return .notification(notification()) }
    return .payload((try? JSONObject(parsing: remainder().span)) ?? [:])
  }

  private mutating func fitting() -> Fitting {
    switch byte() % 4 {
    case 0: .reject
    case 1: .truncateBody
    default: .drop([path(), path()], thenTruncateBody: flag())
    }
  }

  private mutating func path() -> String {
    choice(of: ["aps.", "aps.alert.", "aps.sound.", ""]) + memberName()
  }

  private mutating func memberName() -> String {
    choice(of: [
      "badge", "sound", "thread-id", "category", "target-content-id", "interruption-level", "relevance-score",
      "filter-criteria", "subtitle", "body", "title", "sealed-push", "aps", text(),
    ])
  }

  private mutating func notification() -> RemoteNotification {
    var notification = RemoteNotification()
    if flag() { notification.alert = alert() }
    if flag() { notification.badge = Int(integer()) }
    if flag() { notification.sound = sound() }
    notification.threadID = optionalText()
    notification.category = optionalText()
    notification.targetContentID = optionalText()
    if flag() { notification.interruptionLevel = choice(of: InterruptionLevel.allCases) }
    notification.relevanceScore = optionalNumber()
    notification.mutableContent = flag()
    notification.contentAvailable = flag()
    notification.filterCriteria = optionalText()
    if flag() { notification.liveActivity = activity() }
    // It is written only beside a sound.
    if flag(), notification.sound != nil { notification.otherSound = object() }
    if flag() { notification.otherAPS[text()] = value() }
    if flag() { notification.custom = object() }
    return notification
  }

  private mutating func alert() -> NotificationAlert {
    var alert = NotificationAlert(title: optionalText(), subtitle: optionalText(), body: optionalText())
    // Long enough for a content that does not fit.
    if let body = alert.body, flag() { alert.body = String(repeating: body, count: 1 + index(below: 300)) }
    if flag() { alert.localizedTitle = localized() }
    if flag() { alert.localizedSubtitle = localized() }
    if flag() { alert.localizedBody = localized() }
    alert.launchImage = optionalText()
    if flag() { alert.action = flag() ? .noButton : .localized(key: text()) }
    return alert
  }

  private mutating func localized() -> LocalizedText {
    LocalizedText(key: text(), arguments: (0..<byte() % 4).map { _ in text() })
  }

  private mutating func sound() -> Sound {
    flag() ? .named(text()) : .critical(name: text(), volume: optionalNumber())
  }

  private mutating func activity() -> LiveActivity {
    LiveActivity(
      choice(of: LiveActivity.Event.allCases), timestamp: UnixTime(clamping: integer()),
      contentState: object(),
      staleDate: flag() ? UnixTime(clamping: integer()) : nil,
      dismissalDate: flag() ? UnixTime(clamping: integer()) : nil,
      attributesType: optionalText(), attributes: flag() ? object() : nil)
  }

  private mutating func object() -> JSONObject {
    var object = JSONObject()
    for _ in 0..<byte() % 4 { object[text()] = value() }
    return object
  }

  /// Any JSON value; null for text that is not JSON.
  private mutating func value() -> JSONValue { (try? JSONValue(parsing: piece().span)) ?? .null }

  /// Any double at all, or a fraction.
  private mutating func optionalNumber() -> Double? {
    switch byte() % 3 {
    case 0: nil
    case 1: Double(byte()) / 255
    default: Double(bitPattern: UInt64(bitPattern: integer()))
    }
  }
}
