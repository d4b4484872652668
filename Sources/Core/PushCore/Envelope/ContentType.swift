/// What a message's content is for: the push type, which the sender signs, or a request to prove a key.
///
/// The recipient says which type it expects, and a message of another type does not open (FORMAT.md, section 5).
/// Intermediaries can change the push type that APNs sees, but not this one.
public enum ContentType: UInt8, Sendable, CaseIterable {
  /// A notification, which the extension opens (`alert`).
  case notification = 1

  /// Data that wakes the app (`background`).
  case background = 2

  /// A call (`voip`).
  case voip = 3

  /// The state of a Live Activity (`liveactivity`).
  case liveActivity = 4

  /// Data for a watch complication (`complication`).
  case complication = 5

  /// Data for a push-to-talk channel (`pushtotalk`).
  case pushToTalk = 6

  /// A request to prove that the device has a key and a token, sent as a `background` push.
  case proofRequest = 7

  /// Whether the device acts on a message of this type only once.
  ///
  /// Only a Live Activity's state is read more than once, by its widget.
  public var runsOnce: Bool { self != .liveActivity }

  /// Whether the content is data for the app: an APNs payload, but no notification.
  package var isData: Bool { self != .notification && self != .proofRequest }
}
