/// Who writes in which conversation, for a communication notification: the system shows the avatar, and a Focus may let it
/// through.
///
/// The app, not the extension, has the capability "Communication Notifications"
/// (`com.apple.developer.usernotifications.communication`), and names `INSendMessageIntent` in `NSUserActivityTypes` of its
/// `Info.plist`. The system keeps what it learns of a person, so the message's text is not among it.
public struct Conversation: Equatable, Sendable {
  /// A picture of the sender or the group.
  public enum Avatar: Equatable, Sendable {
    /// An image in a file that the extension can read, such as one in the app's store.
    case file(path: String)
    /// The attachment with this number, which is then not shown as an attachment.
    case attachment(Int)
  }

  /// The largest picture that is read, in bytes: 1 MiB; a larger one is left out.
  public static let maximumAvatarSize = 1 << 20

  /// The conversation's ID in the app.
  public var id: String

  /// The sender's ID in the app.
  public var senderID: String

  /// The sender's name, as it is shown.
  public var senderName: String

  /// The group's name; nil for a conversation of two.
  public var groupName: String?

  /// The picture; nil for the sender's initials.
  public var avatar: Avatar?

  /// Makes a conversation of two, or of a group.
  public init(
    id: String, senderID: String, senderName: String, groupName: String? = nil, avatar: Avatar? = nil
  ) {
    self.id = id
    self.senderID = senderID
    self.senderName = senderName
    self.groupName = groupName
    self.avatar = avatar
  }
}
