/// What a message's content is for: a push of some type, or a request to prove a key.
///
/// A receiver says which type it expects, and a message of another type does not open (FORMAT.md, section 5). An
/// intermediary can change the push type in the APNs headers, but not this type, which is sealed.
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

  /// Whether a message of this type opens once only, because it makes the device do something.
  ///
  /// A Live Activity's state only says how things are, and its widget reads it repeatedly.
  public var runsOnce: Bool { self != .liveActivity }

  /// Whether the content is data for the app: an APNs payload, but no notification.
  package var isData: Bool { self != .notification && self != .proofRequest }
}
