public import PushEnvelope
private import Synchronization

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
