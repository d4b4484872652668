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
