public import PushCore
package import PushKeys

/// What a sealer leaves visible, how it pads messages, and how it handles one that is too long.
///
/// By default a sealed payload reveals only the bucket of the content's length and, for a Live Activity, the members
/// that the system needs. ``visible`` adds to that.
public struct SealingPolicy: Hashable, Sendable {
  /// The placeholder's title, the same for every message.
  public var placeholderTitle: String

  /// The placeholder's body, the same for every message: a phone shows it where no extension runs.
  public var placeholderBody: String

  /// Whether the placeholder plays the default sound.
  ///
  /// The notification's own sound is sealed.
  public var playsSound: Bool

  /// The envelope's key: at the top level, or in a Live Activity's `content-state`.
  public var envelopeKey: EnvelopeKey

  /// How plaintexts are padded.
  public var padding: Padding

  /// The type of push.
  public var pushType: PushType

  /// The members that are sealed and also stay visible: those of `aps` only in an `alert`, and none in a Live Activity.
  public var visible: Set<VisibleMember>

  /// How a message that is too long is handled.
  public var fitting: Fitting

  /// Whether a suite that a quantum computer cannot open is required.
  public var postQuantum: PostQuantum

  /// Makes a policy.
  ///
  /// By default the placeholder is "New notification" and "(Encrypted)", with the default sound.
  public init(
    placeholderTitle: String = "New notification", placeholderBody: String = Self.standardBody,
    playsSound: Bool = true,
    envelopeKey: EnvelopeKey = .default, padding: Padding = .buckets, pushType: PushType = .alert,
    visible: Set<VisibleMember> = [], fitting: Fitting = .reject,
    postQuantum: PostQuantum = .preferred
  ) {
    self.placeholderTitle = placeholderTitle
    self.placeholderBody = placeholderBody
    self.playsSound = playsSound
    self.envelopeKey = envelopeKey
    self.padding = padding
    self.pushType = pushType
    self.visible = visible
    self.fitting = fitting
    self.postQuantum = postQuantum
  }

  /// The placeholder's body if a sender chooses none: `(Encrypted)`.
  public static var standardBody: String { Placeholder.text }
}

/// Whether messages must be sealed with a suite that a quantum computer cannot open: `xwing-aesgcm`, or a shared key.
public enum PostQuantum: String, Sendable, CaseIterable {
  /// Such a suite if the device offers one and this system's libraries have it, otherwise another. A sealer never changes
  /// the suite to make a message fit.
  case preferred

  /// Only such a suite: a recipient with another suite is refused.
  case required
}

extension PublicKeySet {
  /// Whether the set has an active key for the suite, even if this system's libraries lack the suite.
  package func offers(_ suite: Suite) -> Bool {
    records.contains { $0.algorithm.suite == suite && $0.life.status == .active }
  }

  /// The recipient to seal to under a policy.
  ///
  /// If X-Wing is required and the device offers it, it is taken even if this system lacks it: the error then says so.
  ///
  /// - Throws: As `recipient(suite:at:)`.
  package func recipient(
    suite: Suite?, under policy: PostQuantum, at now: UnixTime
  ) throws(KeySetError) -> Recipient {
    let mustBeXWing = suite == nil && policy == .required && offers(.xwingAESGCM)
    return try recipient(suite: mustBeXWing ? .xwingAESGCM : suite, at: now)
  }
}

/// A member that is sealed and, if a policy lists it, also stays visible.
///
/// Apple and everyone else who handles the push can read its value, and can change it. The phone uses the visible value
/// only if the extension does not run. If the push opens, it uses the sealed value. If the push does not open, it uses
/// neither: the placeholder keeps none of these members.
public enum VisibleMember: Hashable, Sendable {
  /// `badge`, so the badge updates even when the extension does not run.
  case badge
  /// `sound`, in place of the placeholder's sound. If the push does not open, any sound becomes the default one.
  case sound
  /// `thread-id`, so the placeholder is grouped even when the extension does not run.
  case threadID
  /// `category`, so the placeholder has the buttons even when the extension does not run.
  case category
  /// `target-content-id`.
  case targetContentID
  /// `interruption-level`, so the placeholder breaks through a Focus even when the extension does not run.
  case interruptionLevel
  /// `relevance-score`.
  case relevanceScore
  /// `filter-criteria`.
  case filterCriteria
  /// One of the app's own members beside `aps`. `aps` itself and the format's reserved names never stay visible this way.
  case custom(String)

  /// Makes the member with this name in the payload.
  ///
  /// A name that is not one of Apple's is a custom member.
  public init(name: String) {
    self = Self.ofAPS.first { $0.name == name } ?? .custom(name)
  }

  /// The member's name in the payload.
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

  /// The members of `aps`.
  static let ofAPS: [VisibleMember] = [
    .badge, .sound, .threadID, .category, .targetContentID, .interruptionLevel, .relevanceScore,
    .filterCriteria,
  ]
}
