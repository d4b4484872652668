/// What a sealer does with a message that is too long for APNs.
public struct Fitting: Hashable, Sendable {
  /// The members to leave out, one after another, until it fits.
  public let drops: [String]

  /// Whether the body is shortened if it is still too long.
  public let truncatesBody: Bool

  /// Refuses the message, with the byte counts: the default.
  public static let reject = Fitting(drops: [], truncatesBody: false)

  /// Ends the body early, with "…", between two characters as a reader sees them.
  public static let truncateBody = Fitting(drops: [], truncatesBody: true)

  /// Leaves members out, in this order and no more than it takes; then shortens the body, if that is allowed; then
  /// refuses.
  ///
  /// A member is named by its path: `aps.category`, `aps.alert.subtitle`, or, beside `aps`, its name alone;
  /// `sealed-push` is the attachments. One that is not there is passed over.
  public static func drop(_ members: [String], thenTruncateBody: Bool = false) -> Fitting {
    Fitting(drops: members, truncatesBody: thenTruncateBody)
  }
}

/// What was left out of a message to make it fit.
public enum Cut: Hashable, Sendable {
  /// A member, by its path.
  case dropped(String)

  /// The body's end: so many bytes of its UTF-8 were kept, of so many.
  case truncatedBody(kept: Int, of: Int)
}
