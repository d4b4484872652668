public import PushEnvelope
private import Synchronization

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

/// A replay store that lives as long as its process, and remembers a bounded number of messages.
///
/// When it is full, what expired goes first, then what was recorded first.
public final class InMemoryReplayStore: ReplayStore {
  /// The process's own, which receivers share unless they are given another.
  public static let shared = InMemoryReplayStore()

  private let ledger: Mutex<ReplayLedger>

  /// Makes an empty store for at most `capacity` messages, at least one.
  public init(capacity: Int = 1024) { ledger = Mutex(ReplayLedger(capacity: capacity)) }

  /// Remembers a message and says whether it was remembered already.
  public func record(_ entry: ReplayEntry, at now: UnixTime) -> ReplayVerdict {
    let record = ReplayRecord(entry)
    return ledger.withLock { $0.record(record, at: now) }
  }

  /// Forgets a message that was not shown.
  public func forget(_ entry: ReplayEntry) {
    let record = ReplayRecord(entry)
    ledger.withLock { $0.forget(record) }
  }
}

/// What is shown of a message that was opened before: the system delivers twice, and jobs are tried again.
///
/// A process that is killed after it has recorded a message, and before it has shown it, leaves a message that is known
/// and was not seen: only ``quietly`` shows it then.
public enum DuplicateRule: Hashable, Sendable {
  /// The message, without sound. The default.
  case quietly

  /// The placeholder, without sound.
  case placeholder

  /// Nothing, which works only with Apple's filtering entitlement; without it the system shows the original.
  case suppress
}
