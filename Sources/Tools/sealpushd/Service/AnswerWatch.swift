internal import PushStore

/// Waits for the answers to enrolments, with one question to the store for all that wait.
actor AnswerWatch {
  private struct Waiting {
    let end: ContinuousClock.Instant
    let continuation: CheckedContinuation<HandedInEnrolment?, Never>
  }

  private let store: any Store
  private var waiting: [Int64: [Waiting]] = [:]
  private var isLooking = false

  /// How often the store is asked.
  private static let interval = Duration.milliseconds(20)

  init(store: any Store) { self.store = store }

  /// An enrolment with its answer; nil if there is none in time.
  func answered(_ enrolment: Int64, within time: Duration) async -> HandedInEnrolment? {
    await withCheckedContinuation { continuation in
      waiting[enrolment, default: []].append(Waiting(end: .now + time, continuation: continuation))
      guard !isLooking else { return }
      isLooking = true
      Task { await look() }
    }
  }

  /// Asks until nobody waits.
  private func look() async {
    while !waiting.isEmpty {
      try? await Task.sleep(for: Self.interval)
      let found = (try? await store.handedIn(Array(waiting.keys))) ?? []
      for enrolment in found where enrolment.answer != nil {
        for one in waiting.removeValue(forKey: enrolment.id) ?? [] {
          one.continuation.resume(returning: enrolment)
        }
      }
      let now = ContinuousClock.now
      for (id, all) in waiting {
        let left = all.filter { $0.end > now }
        waiting[id] = left.isEmpty ? nil : left
        for one in all where one.end <= now { one.continuation.resume(returning: nil) }
      }
    }
    isLooking = false
  }
}
