public import PushPayload
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

  init?(_ payload: JSONObject, alertsAreOn: Bool = true) {
    let aps = payload["aps"]?.object ?? [:]
    if aps["mutable-content"]?.number?.integer != 1 {
      self = .noMutableContent
    } else if !ShownContent(unopened: payload).hasText && !Self.isLocalized(aps) {
      self = .noAlert
    } else if !alertsAreOn {
      self = .alertsOff
    } else {
      return nil
    }
  }

  private static func isLocalized(_ aps: JSONObject) -> Bool {
    let alert = aps["alert"]?.object ?? [:]
    return [alert["title-loc-key"], alert["loc-key"]].contains { $0?.string?.isEmpty == false }
  }
}

extension ShownContent {
  /// What the system shows of a payload whose extension it does not run: every member of the payload that is
  /// valid.
  ///
  /// Without `aps` it shows nothing.
  public init(unopened payload: JSONObject) {
    self.init()
    guard let aps = payload["aps"]?.object else { return }
    let alert = aps["alert"]?.object
    title = alert?["title"]?.string ?? ""
    subtitle = alert?["subtitle"]?.string ?? ""
    body = aps["alert"]?.string ?? alert?["body"]?.string ?? ""
    sound = Self.member("sound", of: aps)?.sound
    badge = Self.member("badge", of: aps)?.badge
    category = Self.member("category", of: aps)?.category ?? ""
    threadIdentifier = Self.member("thread-id", of: aps)?.threadID ?? ""
    targetContentIdentifier = Self.member("target-content-id", of: aps)?.targetContentID
    filterCriteria = Self.member("filter-criteria", of: aps)?.filterCriteria
    interruptionLevel = Self.member("interruption-level", of: aps)?.interruptionLevel ?? .active
    relevanceScore = Self.member("relevance-score", of: aps)?.relevanceScore ?? 0
    userInfo = PropertyList.dictionary(payload)
  }

  /// A notification with one member of `aps`; nil if it is absent or wrong.
  private static func member(_ key: String, of aps: JSONObject) -> RemoteNotification? {
    guard let value = aps[key] else { return nil }
    return try? RemoteNotification(payload: ["aps": .object([key: value])])
  }

  /// Whether there is a text to show.
  var hasText: Bool { !title.isEmpty || !body.isEmpty }
}
