internal import PushDelivery
internal import PushStore

/// A store whose calls are repeated while they fail for a reason that may pass.
struct PatientStore: Sendable {
  private let store: any Store
  private let clock: any PushClock
  private let failed: @Sendable (StoreError, _ retryAfter: Duration) -> Void

  private static let firstDelay = Duration.milliseconds(100)
  private static let maximumDelay = Duration.seconds(30)

  init(
    store: any Store, clock: any PushClock,
    failed: @escaping @Sendable (StoreError, _ retryAfter: Duration) -> Void
  ) {
    self.store = store
    self.clock = clock
    self.failed = failed
  }

  /// Does `work`, and repeats it while it fails for a reason that may pass.
  ///
  /// `tries` is how often the store may be busy.
  ///
  /// - Throws: A `StoreError` that will not pass; any `StoreError` if the task is cancelled.
  func callAsFunction<Value>(
    whileBusy tries: Int = .max, _ work: (any Store) async throws(StoreError) -> Value
  ) async throws(StoreError) -> Value {
    var (delay, busy) = (Self.firstDelay, 0)
    while true {
      do throws(StoreError) {
        return try await work(store)
      } catch {
        if case .busy = error { busy += 1 }
        guard error.mayPass, busy < tries, !Task.isCancelled else { throw error }
        failed(error, delay)
        try? await clock.sleep(until: clock.uptime + delay)
        delay = min(delay * 2, Self.maximumDelay)
      }
    }
  }

  /// Does work that reads rows of the directory; nil if one of them is damaged, which is reported.
  ///
  /// If the whole store is damaged, the next call fails too.
  ///
  /// - Throws: `StoreError`, as the other calls do.
  func unlessDamaged<Value>(
    _ work: (any Store) async throws(StoreError) -> Value
  ) async throws(StoreError) -> Value? {
    do throws(StoreError) {
      return try await callAsFunction(work)
    } catch {
      guard case .corrupt = error else { throw error }
      failed(error, .zero)
      return nil
    }
  }

  /// Does work that writes rows that others may hold; nil if they hold one for long, or if one is damaged; both are
  /// reported.
  ///
  /// A transaction may hold a row for hours, and the next work must not wait for that.
  ///
  /// - Throws: `StoreError`, as the other calls do.
  func unlessHeld<Value>(
    _ work: (any Store) async throws(StoreError) -> Value
  ) async throws(StoreError) -> Value? {
    do throws(StoreError) {
      return try await callAsFunction(whileBusy: 2, work)
    } catch {
      switch error {
      case .corrupt: break
      case .busy where !Task.isCancelled: break
      default: throw error
      }
      failed(error, .zero)
      return nil
    }
  }

  /// Does work that writes rows that others may hold; false if they hold one for long.
  ///
  /// - Throws: `StoreError`, as the other calls do.
  func isDone(_ work: (any Store) async throws(StoreError) -> Void) async throws(StoreError) -> Bool {
    do throws(StoreError) {
      try await callAsFunction(whileBusy: 2, work)
      return true
    } catch {
      guard case .busy = error, !Task.isCancelled else { throw error }
      failed(error, .zero)
      return false
    }
  }

  /// Does work once; nil if it fails.
  func once<Value>(_ work: (any Store) async throws(StoreError) -> Value) async -> Value? {
    do throws(StoreError) {
      return try await work(store)
    } catch {
      failed(error, .zero)
      return nil
    }
  }
}
