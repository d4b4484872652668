public import PushAttachments
public import PushCore
public import PushKeys

/// One message to seal: its content, recipient, ID, lifetime and headers.
public struct SealJob: Sendable {
  /// The content of a job.
  public enum Content: Sendable {
    /// A notification as a Swift value.
    case notification(RemoteNotification)
    /// An ordinary APNs payload, whose members are sealed exactly as they are.
    case payload(JSONObject)

    /// What the message does to others.
    var changes: MessageChanges {
      switch self {
      case .notification(let notification): notification.changes
      case .payload(let payload): MessageChanges(reading: payload[EnvelopeKey.reserved])
      }
    }
  }

  /// The content to seal.
  public var content: Content

  /// The attachments, whose blobs must have been uploaded.
  public var attachments: [AttachmentDescriptor]

  /// The device's key, or a shared key.
  public var recipient: Recipient

  /// The tag of the account that the message is for, which is sealed too; nil for none.
  public var account: AccountTag?

  /// The message's ID, which stays the same when you retry a job.
  public var messageID: MessageID

  /// The time at which the message is issued.
  public var issuedAt: UnixTime

  /// How long the message is valid; nil for the push type's default, `Lifetime.standard(for:)`.
  public var lifetime: Lifetime?

  /// The header values that replace the defaults.
  public var headers: HeaderOptions

  /// Makes a job.
  public init(
    _ content: Content, attachments: [AttachmentDescriptor] = [], to recipient: Recipient,
    account: AccountTag? = nil, messageID: MessageID = .random(), at now: UnixTime = .now,
    lifetime: Lifetime? = nil, headers: HeaderOptions = HeaderOptions()
  ) {
    self.content = content
    self.attachments = attachments
    self.recipient = recipient
    self.account = account
    self.messageID = messageID
    issuedAt = now
    self.lifetime = lifetime
    self.headers = headers
  }

  /// The claims of the message.
  func claims(as type: ContentType, over service: PushService) -> Claims {
    Claims(
      messageID: messageID, issuedAt: issuedAt, lifetime: lifetime ?? .standard(for: type, over: service))
  }
}

/// Keeps a text out of logs.
extension SealJob: CustomStringConvertible, CustomReflectable {
  /// The message's ID, and the size of the content.
  public var description: String { "job \(messageID), \(content)" }

  /// Shows nothing.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Keeps a text out of logs.
extension SealJob.Content: CustomStringConvertible, CustomReflectable {
  /// The size alone.
  public var description: String {
    switch self {
    case .notification(let notification): notification.description
    case .payload(let payload): "payload, \(payload.encoded().count) bytes"
    }
  }

  /// Shows nothing.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
