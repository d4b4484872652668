/// The keys that Apple defines in `aps`.
enum APSKey: String, CaseIterable {
  case alert, badge, sound, category, timestamp, event, attributes
  case threadID = "thread-id"
  case targetContentID = "target-content-id"
  case interruptionLevel = "interruption-level"
  case relevanceScore = "relevance-score"
  case contentAvailable = "content-available"
  case mutableContent = "mutable-content"
  case filterCriteria = "filter-criteria"
  case contentState = "content-state"
  case staleDate = "stale-date"
  case dismissalDate = "dismissal-date"
  case attributesType = "attributes-type"
  case inputPushToken = "input-push-token"
  case inputPushChannel = "input-push-channel"

  /// Those whose value is a stored property of a notification; the others stay among its other members.
  static let stored: [APSKey] = [
    .alert, .badge, .sound, .category, .threadID, .targetContentID, .interruptionLevel, .relevanceScore,
  ]

  /// Those of a Live Activity.
  static let liveActivity: [APSKey] = [
    .timestamp, .event, .contentState, .staleDate, .dismissalDate, .attributesType, .attributes,
  ]

  /// Those that an app would hardly choose for a member of its own beside `aps`.
  static let misplaceable = allCases.filter { ![.timestamp, .event, .attributes].contains($0) }

  var path: String { "\(RemoteNotification.apsKey).\(rawValue)" }
}

extension JSONObject {
  subscript(key: APSKey) -> JSONValue? {
    get { self[key.rawValue] }
    set { self[key.rawValue] = newValue }
  }
}
