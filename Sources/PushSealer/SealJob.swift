public import PushAttachments
public import PushEnvelope
public import PushKeys
public import PushPayload

/// One message to seal: what it says, to whom, under which identity, and how it is sent.
public struct SealJob: Sendable {
  /// What is sealed.
  public enum Content: Sendable {
    /// A notification as values.
    case notification(RemoteNotification)
    /// An ordinary APNs payload, every member exactly as it is.
    case payload(JSONObject)
  }

  /// What is sealed.
  public var content: Content

  /// Its attachments, whose blobs have been uploaded.
  public var attachments: [AttachmentDescriptor]

  /// The device's key, or a shared one.
  public var recipient: Recipient

  /// Its identity, the same when a job is tried again.
  public var messageID: MessageID

  /// When it is issued.
  public var issuedAt: UnixTime

  /// How long it is good for.
  public var lifetime: Lifetime

  /// What it asks of APNs.
  public var headers: HeaderOptions

  /// Puts a job together.
  public init(
    _ content: Content, attachments: [AttachmentDescriptor] = [], to recipient: Recipient,
    messageID: MessageID = .random(), at now: UnixTime = .now, lifetime: Lifetime = .maximum,
    headers: HeaderOptions = HeaderOptions()
  ) {
    self.content = content
    self.attachments = attachments
    self.recipient = recipient
    self.messageID = messageID
    issuedAt = now
    self.lifetime = lifetime
    self.headers = headers
  }

  /// What the message says of itself.
  var claims: Claims { Claims(messageID: messageID, issuedAt: issuedAt, lifetime: lifetime) }
}
