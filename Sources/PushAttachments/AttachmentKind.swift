/// The kinds of attachment that the system shows, each with a limit of its own.
public enum AttachmentKind: String, Sendable, CaseIterable {
  /// A picture.
  case image
  /// A sound.
  case audio
  /// A film.
  case video

  /// The longest file, in bytes: 10, 5 or 50 million.
  ///
  /// Apple's page on `UNNotificationAttachment` has the figures in MB, and does not say which; these are the smaller.
  public var limit: Int {
    switch self {
    case .image: 10_000_000
    case .audio: 5_000_000
    case .video: 50_000_000
    }
  }
}
