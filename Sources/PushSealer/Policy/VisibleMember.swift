/// A member that may stay visible beside being sealed, where a policy says so.
///
/// What it says can be read by everybody on the way. The phone takes it from the sealed payload alone, unless the
/// extension is not run.
public enum VisibleMember: Hashable, Sendable {
  /// `badge`: the icon's number changes although the extension is not run.
  case badge
  /// `sound`, in place of the placeholder's.
  case sound
  /// `thread-id`: placeholders are grouped.
  case threadID
  /// `category`: a placeholder has the buttons.
  case category
  /// `target-content-id`.
  case targetContentID
  /// `interruption-level`: a placeholder breaks through a Focus as the notification would.
  case interruptionLevel
  /// `relevance-score`.
  case relevanceScore
  /// `filter-criteria`.
  case filterCriteria
  /// A member of the app's own beside `aps`; `aps` itself and what the format keeps for itself never are.
  case custom(String)

  /// The member of a name, as it stands in the payload; any other than Apple's is the app's own.
  public init(name: String) {
    self = Self.ofAPS.first { $0.name == name } ?? .custom(name)
  }

  /// The name that it has in the payload.
  public var name: String {
    switch self {
    case .badge: "badge"
    case .sound: "sound"
    case .threadID: "thread-id"
    case .category: "category"
    case .targetContentID: "target-content-id"
    case .interruptionLevel: "interruption-level"
    case .relevanceScore: "relevance-score"
    case .filterCriteria: "filter-criteria"
    case .custom(let name): name
    }
  }

  /// Those that stand in `aps`.
  static let ofAPS: [VisibleMember] = [
    .badge, .sound, .threadID, .category, .targetContentID, .interruptionLevel, .relevanceScore,
    .filterCriteria,
  ]
}
