private import Locks
public import PushCore

/// A store of the messages that were opened before, to detect replays and duplicates.
///
/// A store that has room for a bounded number of messages must keep, for each sender, the latest time of issue among the
/// messages that it dropped before they expired. A message that was issued then or earlier is never the first again.
public protocol ReplayStore: Sendable {
  /// Records a message, and returns whether it was recorded before.
  ///
  /// - Throws: ``ReplayStoreError/unavailable``; the message is then shown without the check.
  func record(_ entry: ReplayEntry, at now: UnixTime) throws(ReplayStoreError) -> ReplayVerdict

  /// Forgets a message that was recorded as the first and came too late to be shown.
  func forget(_ entry: ReplayEntry)
}

extension ReplayStore {
  /// Forgets nothing.
  public func forget(_ entry: ReplayEntry) {}

  /// Marks a message that the app has shown by itself, because it came by a connection of the app's own: its push is then
  /// ``ReplayVerdict/seen``, and ``DuplicateRule`` says how it is shown.
  ///
  /// The mark is an entry, ``ReplayEntry/mark(of:at:)``, which lasts as long as a push of the message can come.
  ///
  /// - Throws: ``ReplayStoreError/unavailable``; the push is then shown as if it were new.
  public func markSeen(_ messageID: MessageID, at now: UnixTime = .now) throws(ReplayStoreError) {
    _ = try record(.mark(of: messageID, at: now), at: now)
  }
}

/// A message as a replay store records it.
public struct ReplayEntry: Hashable, Sendable {
  /// Who sent which message.
  public struct Key: Hashable, Sendable {
    /// The sender's key; nil if the message is anonymous.
    public let sender: Thumbprint?
    /// The device's key if the message is anonymous, otherwise nil.
    public let recipient: Thumbprint?
    /// What the message is for.
    public let type: ContentType
    /// The message's ID.
    public let messageID: MessageID

    /// Identifies a message by its sender, or, if `sender` is nil, by the device that it was sealed to.
    public init(sender: Thumbprint?, recipient: Thumbprint?, type: ContentType, messageID: MessageID) {
      self.sender = sender
      self.recipient = recipient
      self.type = type
      self.messageID = messageID
    }
  }

  /// Who sent which message.
  public let key: Key

  /// SHA-256 of its content, 32 bytes.
  public let digest: [UInt8]

  /// When it was issued.
  public let issuedAt: UnixTime

  /// The last moment at which it can be opened.
  public let expiresAt: UnixTime

  /// Makes an entry.
  public init(key: Key, digest: [UInt8], issuedAt: UnixTime, expiresAt: UnixTime) {
    self.key = key
    self.digest = digest
    self.issuedAt = issuedAt
    self.expiresAt = expiresAt
  }

  /// The mark of a message that the app has shown by itself: of no sender, for no device, and without a digest.
  public static func mark(of messageID: MessageID, at now: UnixTime) -> ReplayEntry {
    let key = Key(sender: nil, recipient: nil, type: .notification, messageID: messageID)
    let end = now.advanced(by: .seconds(Lifetime.maximum.seconds) + Claims.skew)
    return ReplayEntry(key: key, digest: [], issuedAt: now, expiresAt: end)
  }
}

/// A replay store's answer about a message.
public enum ReplayVerdict: Hashable, Sendable {
  /// The message is new.
  case first
  /// The message was recorded before, with the same content.
  case duplicate
  /// The message was recorded before, with different content.
  case conflict
  /// The message was not recorded before, but the app has marked it. It is recorded.
  case seen
  /// The message may have been recorded before: the store was full, and has dropped messages of this sender that were
  /// issued then or later. It is not recorded.
  case forgotten
}

/// Why a replay store cannot answer.
public enum ReplayStoreError: Error, Equatable, Sendable {
  /// It cannot be read or written.
  case unavailable
}

extension ReplayStoreError: CustomStringConvertible {
  /// What is wrong.
  public var description: String {
    switch self {
    case .unavailable: "the replay store cannot be read or written"
    }
  }
}

/// A replay store that lasts as long as its process, for a bounded number of messages.
///
/// When it is full, it drops expired messages first, then the oldest. Those are ``ReplayVerdict/forgotten`` from then on.
public final class InMemoryReplayStore: ReplayStore {
  /// The store of the process, which receivers share by default.
  public static let shared = InMemoryReplayStore()

  private let ledger: Mutex<ReplayLedger>

  /// Makes an empty store for at most `capacity` messages, at least one.
  public init(capacity: Int = 1024) { ledger = Mutex(ReplayLedger(capacity: capacity)) }

  /// Records a message, and returns whether it was recorded before.
  public func record(_ entry: ReplayEntry, at now: UnixTime) -> ReplayVerdict {
    let (record, mark) = (ReplayRecord(entry), ReplayRecord.mark(of: entry.key.messageID))
    return ledger.withLock { $0.record(record, markedBy: mark, at: now) }
  }

  /// Forgets a message that was not shown.
  public func forget(_ entry: ReplayEntry) {
    let record = ReplayRecord(entry)
    ledger.withLock { $0.forget(record) }
  }
}

/// How to show a message that was opened before, because the system delivered it twice or the backend retried a job, or that
/// the app has marked as seen.
///
/// If a process is killed between recording a message and showing it, the message is known but was never seen. Only
/// ``quietly`` shows it when it comes again.
public enum DuplicateRule: Hashable, Sendable {
  /// The message, without sound. The default.
  case quietly

  /// The placeholder, without sound.
  case placeholder

  /// Nothing, which needs Apple's filtering entitlement; without it, the system shows the original.
  case suppress
}
