/// Waits for changes that an engine does not announce.
package enum Polling {
  /// How often an engine is looked at.
  static let interval: Duration = .milliseconds(20)

  /// Asks until the answer is true, and returns whether it was; false when the time is up or the task is cancelled.
  package static func wait(
    within time: Duration, for answer: () async throws(StoreError) -> Bool
  ) async throws(StoreError) -> Bool {
    let clock = ContinuousClock()
    let end = clock.now + time
    while true {
      if try await answer() { return true }
      let rest = clock.now.duration(to: end)
      guard rest > .zero, (try? await clock.sleep(for: min(rest, interval))) != nil else { return false }
    }
  }
}
