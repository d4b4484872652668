public import PushEnvelope

/// Which messages were opened before.
public protocol ReplayStore: Sendable {
  /// Remembers a message and says whether it was remembered already.
  ///
  /// - Throws: ``ReplayStoreError/unavailable``; the message is then shown without the check.
  func record(_ entry: ReplayEntry, at now: UnixTime) throws(ReplayStoreError) -> ReplayVerdict

  /// Forgets a message that was recorded as the first and came too late to be shown.
  func forget(_ entry: ReplayEntry)
}

extension ReplayStore {
  /// Forgets nothing.
  public func forget(_ entry: ReplayEntry) {}
}

/// A message, as a replay store remembers it.
public struct ReplayEntry: Hashable, Sendable {
  /// Who sent which message.
  public struct Key: Hashable, Sendable {
    /// The sender's key; null if anonymous.
    public let sender: Thumbprint?
    /// The device's key, if anonymous.
    public let recipient: Thumbprint?
    /// The message's identity.
    public let messageID: MessageID

    /// Names a message: of a sender, or, if `sender` is null, to a device.
    public init(sender: Thumbprint?, recipient: Thumbprint?, messageID: MessageID) {
      self.sender = sender
      self.recipient = recipient
      self.messageID = messageID
    }
  }

  /// Who sent which message.
  public let key: Key

  /// SHA-256 of its content, 32 bytes.
  public let digest: [UInt8]

  /// The last moment at which it can be opened.
  public let expiresAt: UnixTime

  /// Puts an entry together.
  public init(key: Key, digest: [UInt8], expiresAt: UnixTime) {
    self.key = key
    self.digest = digest
    self.expiresAt = expiresAt
  }
}

/// What a replay store finds.
public enum ReplayVerdict: Hashable, Sendable {
  /// The message is new.
  case first
  /// It was there, with the same content.
  case duplicate
  /// It was there, with another content.
  case conflict
}

/// Why a replay store gives no verdict.
public enum ReplayStoreError: Error, Equatable, Sendable {
  /// It cannot be read or written.
  case unavailable
}
