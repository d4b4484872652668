/// Who may open a message.
public enum ContentType: UInt8, Sendable, CaseIterable {
  /// A notification to show: the extension alone opens it.
  case notification = 1

  /// Data for the app: an explicit call alone opens it.
  case data = 2
}
