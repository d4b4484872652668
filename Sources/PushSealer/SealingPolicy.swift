public import PushEnvelope
public import PushPayload

/// What a sealer leaves visible, and how it fills messages up.
///
/// Nothing visible depends on the content.
public struct SealingPolicy: Hashable, Sendable {
  /// The title that stands in for the sealed one, the same for every message.
  public var placeholderTitle: String

  /// Whether the placeholder plays the default sound.
  ///
  /// The content's own sound is sealed.
  public var playsSound: Bool

  /// The top-level key of the envelope.
  public var envelopeKey: EnvelopeKey

  /// How plaintexts are filled up.
  public var padding: Padding

  /// What kind of push it is.
  public var pushType: PushType

  /// Makes a policy; the defaults show "New notification" and "(Encrypted)" with the default sound.
  public init(
    placeholderTitle: String = "New notification", playsSound: Bool = true,
    envelopeKey: EnvelopeKey = .default, padding: Padding = .buckets, pushType: PushType = .alert
  ) {
    self.placeholderTitle = placeholderTitle
    self.playsSound = playsSound
    self.envelopeKey = envelopeKey
    self.padding = padding
    self.pushType = pushType
  }
}

/// The kinds of push that can be sealed (`apns-push-type`).
public enum PushType: String, Sendable, CaseIterable {
  /// A notification that the extension opens and the system shows: at most 4096 bytes.
  case alert

  /// Data that wakes the app in the background, which opens it: at most 4096 bytes.
  case background

  /// A call that the app itself opens as data: at most 5120 bytes.
  case voip

  /// The largest payload that APNs takes.
  public var limit: PayloadLimit {
    switch self {
    case .alert, .background: .notification
    case .voip: .voip
    }
  }

  /// Who may open the content.
  public var contentType: ContentType {
    switch self {
    case .alert: .notification
    case .background, .voip: .data
    }
  }

  /// What `apns-topic` adds to the bundle id.
  var topicSuffix: String {
    switch self {
    case .alert, .background: ""
    case .voip: ".voip"
    }
  }

  /// `apns-priority`: 10 for at once; APNs takes 5 alone for what may wait for the phone to be awake.
  var priority: Int {
    switch self {
    case .alert, .voip: 10
    case .background: 5
    }
  }
}
