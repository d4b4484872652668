public import PushCore
public import PushReceiver

/// Why the system does not run a notification service extension (Apple, "Modifying content in newly delivered
/// notifications").
public enum NotRunReason: String, Sendable {
  /// `mutable-content` is not the number 1.
  case noMutableContent = "no-mutable-content"
  /// The payload has no alert with text.
  case noAlert = "no-alert"
  /// The person has turned alerts off.
  case alertsOff = "alerts-off"

  /// The reason for a payload; nil if the system runs the extension.
  package init?(payload: JSONObject, alertsAreOn: Bool = true) {
    let aps = payload["aps"]?.object ?? [:]
    if aps["mutable-content"]?.number?.integer != 1 {
      self = .noMutableContent
    } else if !Self.hasText(in: aps) {
      self = .noAlert
    } else if !alertsAreOn {
      self = .alertsOff
    } else {
      return nil
    }
  }

  /// Whether there is a title or a body, or a key for one.
  private static func hasText(in aps: JSONObject) -> Bool {
    let alert = aps["alert"]?.object ?? [:]
    let texts = [aps["alert"], alert["title"], alert["body"], alert["title-loc-key"], alert["loc-key"]]
    return texts.contains { $0?.string?.isEmpty == false }
  }
}

extension ShownContent {
  /// What the system shows for a payload if it does not run the extension: every valid member of the payload.
  ///
  /// Without `aps` it shows nothing. `strings` are the app's, for the payload's localized texts.
  public init(unopened payload: JSONObject, localizedBy strings: any LocalizedStrings = NoStrings()) {
    self.init()
    guard let aps = payload["aps"]?.object else { return }
    let alert = aps["alert"]?.object ?? [:]
    title = strings.text(
      literal: alert["title"]?.string, key: alert["title-loc-key"], arguments: alert["title-loc-args"])
    subtitle = strings.text(
      literal: alert["subtitle"]?.string, key: alert["subtitle-loc-key"],
      arguments: alert["subtitle-loc-args"])
    body = strings.text(
      literal: aps["alert"]?.string ?? alert["body"]?.string, key: alert["loc-key"],
      arguments: alert["loc-args"])
    launchImageName = alert["launch-image"]?.string ?? ""
    sound = Self.member("sound", of: aps)?.sound
    badge = Self.member("badge", of: aps)?.badge
    category = Self.member("category", of: aps)?.category ?? ""
    threadIdentifier = Self.member("thread-id", of: aps)?.threadID ?? ""
    targetContentIdentifier = Self.member("target-content-id", of: aps)?.targetContentID
    filterCriteria = Self.member("filter-criteria", of: aps)?.filterCriteria
    interruptionLevel = Self.member("interruption-level", of: aps)?.interruptionLevel ?? .active
    relevanceScore = Self.member("relevance-score", of: aps)?.relevanceScore ?? 0
    userInfo = PropertyList.dictionary(from: payload)
  }

  /// A notification with one member of `aps`; nil if that member is missing or invalid.
  private static func member(_ key: String, of aps: JSONObject) -> RemoteNotification? {
    guard let value = aps[key] else { return nil }
    return try? RemoteNotification(payload: ["aps": .object([key: value])])
  }
}
