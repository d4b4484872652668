internal import PushStore
private import Synchronization

/// Whether a process can do its work: its store answers, it has what it signs with, and nobody has stopped it.
///
/// It asks the store by itself, every two seconds and never twice at once, so that whoever asks it never waits, and costs the
/// store nothing.
final class Readiness: Sendable {
  private struct State {
    var isStopping = false
    /// Since when the store has been asked; nil while it is not.
    var askedAt: ContinuousClock.Instant?
    /// Why the store could not be used the last time.
    var failure: StoreError?
  }

  /// How often the store is asked.
  private static let interval = Duration.seconds(2)

  /// How long it may take to answer.
  private static let patience = Duration.seconds(5)

  private let store: any Store
  private let lack: @Sendable () -> String?
  private let failed: @Sendable (StoreError) -> Void
  private let state = Mutex(State())

  /// Watches a store that was just opened, so that its tables are right.
  ///
  /// `failed` gets why the store cannot be used, when that is another reason than the last time; `lack` says what else the
  /// process lacks, nil if nothing.
  init(
    store: any Store, failed: @escaping @Sendable (StoreError) -> Void = { _ in },
    lack: @escaping @Sendable () -> String? = { nil }
  ) {
    (self.store, self.failed, self.lack) = (store, failed, lack)
  }

  /// Asks the store again and again, until the task is cancelled.
  func run() async {
    while !Task.isCancelled {
      state.withLock { $0.askedAt = .now }
      let failure: StoreError?
      do throws(StoreError) {
        _ = try await store.oldestReady()
        failure = nil
      } catch {
        failure = error
      }
      let before = state.withLock { state in
        defer { (state.askedAt, state.failure) = (nil, failure) }
        return state.failure
      }
      if let failure, failure != before, !Task.isCancelled { failed(failure) }
      try? await Task.sleep(for: Self.interval)
    }
  }

  /// Says that the process is stopping.
  func stop() { state.withLock { $0.isStopping = true } }

  /// Why the process is not ready, in a few words without a place, a name or a key; nil if it is.
  var obstacle: String? {
    let state = state.withLock(\.self)
    if state.isStopping { return "it is stopping" }
    if let askedAt = state.askedAt, askedAt.duration(to: .now) > Self.patience {
      return "the store has not answered for \(askedAt.duration(to: .now).components.seconds) seconds"
    }
    return state.failure.map(\.kindText) ?? lack()
  }
}

extension StoreError {
  /// What is wrong, for those who must not learn where the store is.
  fileprivate var kindText: String {
    switch self {
    case .cannotOpen: "the store cannot be opened"
    case .exposed: "others could change the store"
    case .replaced: "the store's file is no longer the one that was opened"
    case .busy: "another process has kept the store busy for too long"
    case .full: "no space is left for the store"
    case .readOnly: "the store is read-only"
    case .corrupt: "the store is damaged"
    case .notAStore, .newerVersion: "the store's tables belong to another program or version"
    case .rowKey: "the row key does not fit the store"
    case .unreachable: "there is no connection to the store"
    case .failed: "the store refuses requests; the log says why"
    }
  }
}
