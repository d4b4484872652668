public import PushEnvelope
public import PushPayload

/// What a sealer leaves visible, how it fills messages up, and what it does with one that is too long.
///
/// Unless ``visible`` says otherwise, nothing visible depends on the content, but for its length, to the bucket, and what
/// the system needs of a Live Activity.
public struct SealingPolicy: Hashable, Sendable {
  /// The title that stands in for the sealed one, the same for every message.
  public var placeholderTitle: String

  /// Whether the placeholder plays the default sound.
  ///
  /// The content's own sound is sealed.
  public var playsSound: Bool

  /// The key of the envelope: at the top level, or in a Live Activity's `content-state`.
  public var envelopeKey: EnvelopeKey

  /// How plaintexts are filled up.
  public var padding: Padding

  /// What kind of push it is.
  public var pushType: PushType

  /// The members that stay visible beside being sealed: of `aps` in an `alert` alone, and none in a Live Activity.
  public var visible: Set<VisibleMember>

  /// What happens to a message that is too long.
  public var fitting: Fitting

  /// Makes a policy; the defaults show "New notification" and "(Encrypted)" with the default sound.
  public init(
    placeholderTitle: String = "New notification", playsSound: Bool = true,
    envelopeKey: EnvelopeKey = .default, padding: Padding = .buckets, pushType: PushType = .alert,
    visible: Set<VisibleMember> = [], fitting: Fitting = .reject
  ) {
    self.placeholderTitle = placeholderTitle
    self.playsSound = playsSound
    self.envelopeKey = envelopeKey
    self.padding = padding
    self.pushType = pushType
    self.visible = visible
    self.fitting = fitting
  }
}

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
