import PushCore
import PushEnrolment
import PushKeys
import PushStore
import StoreSupport
import Synchronization

/// A store whose next calls fail, and that counts how often jobs were asked for and leases were extended.
final class FailingStore: ForwardingStore {
  let store: any Store
  private let state = Mutex(
    (
      failures: 0, error: StoreError.busy(place: "store"), extensions: 0, failingExtensions: 0,
      acknowledges: true, countsRefusals: true, lookups: 0, requests: 0, givenBack: 0
    ))

  init(_ store: any Store) { self.store = store }

  private let damaged = Mutex<String?>(nil)

  /// Lets every look-up of this person's devices fail.
  func damage(_ person: String) { damaged.withLock { $0 = person } }

  private let held = Mutex<String?>(nil)

  /// Lets nobody write this registration, as if others held its row.
  func hold(_ registration: String) { held.withLock { $0 = registration } }

  private let heldJob = Mutex<JobID?>(nil)

  /// Lets nobody acknowledge a job, as if others held its row; nil frees it.
  func hold(_ job: JobID?) { heldJob.withLock { $0 = job } }

  /// What calls wait for: its end, or the end of their task.
  private typealias Gate = (stream: AsyncStream<Void>, continuation: AsyncStream<Void>.Continuation)

  private let gate = Mutex<Gate?>(nil)

  private let answers = Mutex<Gate?>(nil)

  /// Lets look-ups take until ``freeLookups()``, or until their task is cancelled.
  func holdLookups() { gate.withLock { $0 = AsyncStream.makeStream() } }

  /// Holds no look-ups any more.
  func freeLookups() {
    gate.withLock { gate in
      gate?.continuation.finish()
      gate = nil
    }
  }

  /// Lets answers to enrolments take until ``releaseAnswers()``.
  func holdAnswers() { answers.withLock { $0 = AsyncStream.makeStream() } }

  /// Lets answers to enrolments be written.
  func releaseAnswers() { answers.withLock { $0?.continuation.finish() } }

  /// How many look-ups have begun.
  var lookups: Int { state.withLock(\.lookups) }

  /// How many proof requests were given back.
  var givenBack: Int { state.withLock(\.givenBack) }

  /// How often jobs were asked for.
  var requests: Int { state.withLock(\.requests) }

  /// How often leases were extended.
  var extensions: Int { state.withLock(\.extensions) }

  /// Lets so many calls of a worker fail.
  func fail(times count: Int, with error: StoreError = .busy(place: "store")) {
    state.withLock { ($0.failures, $0.error) = (count, error) }
  }

  /// Lets so many extensions of leases fail, and nothing else.
  func failToExtend(times count: Int) { state.withLock { $0.failingExtensions = count } }

  /// Lets only acknowledgements fail, for ever.
  func failToAcknowledge() { state.withLock { $0.acknowledges = false } }

  /// Lets only the counting of refusals fail, for ever.
  func failToCountRefusals() { state.withLock { $0.countsRefusals = false } }

  private func check() throws(StoreError) {
    let error = state.withLock { state -> StoreError? in
      guard state.failures > 0 else { return nil }
      state.failures -= 1
      return state.error
    }
    if let error { throw error }
  }

  func lease(
    atMost count: Int, for time: Duration, senders: Set<Thumbprint>
  ) async throws(StoreError) -> [LeasedJob] {
    try check()
    let jobs = try await store.lease(atMost: count, for: time, senders: senders)
    state.withLock { $0.requests += 1 }
    return jobs
  }

  func devices(
    of persons: [String], includingUnreachable: Bool
  ) async throws(StoreError) -> [[StoredDevice]] {
    try check()
    state.withLock { $0.lookups += 1 }
    if let person = damaged.withLock(\.self), persons.contains(person) { throw .corrupt(place: "store") }
    if let gate = gate.withLock({ $0?.stream }) { for await _ in gate {} }
    return try await store.devices(of: persons, includingUnreachable: includingUnreachable)
  }

  func acknowledge(_ leases: [Lease]) async throws(StoreError) -> Int {
    try check()
    guard state.withLock(\.acknowledges) else { throw .unreachable(place: "store", reason: "cut") }
    if let job = heldJob.withLock(\.self), leases.contains(where: { $0.job == job }) {
      throw .busy(place: "store")
    }
    return try await store.acknowledge(leases)
  }

  func extend(_ leases: [Lease], for time: Duration) async throws(StoreError) -> [Lease] {
    let fails = state.withLock { state in
      defer { state.failingExtensions = max(0, state.failingExtensions - 1) }
      return state.failingExtensions > 0
    }
    if fails { throw .busy(place: "store") }
    let extended = try await store.extend(leases, for: time)
    state.withLock { $0.extensions += 1 }
    return extended
  }

  func countRefusal(
    of address: DeviceAddress, acceptedAgo age: Duration?
  ) async throws(StoreError) -> Int {
    guard state.withLock(\.countsRefusals) else { throw .unreachable(place: "store", reason: "cut") }
    return try await store.countRefusal(of: address, acceptedAgo: age)
  }

  func answer(_ lease: EnrolmentLease, with answer: EnrolmentAnswer, account: AccountTag?)
    async throws(StoreError) -> Bool
  {
    if let gate = answers.withLock({ $0?.stream }) { for await _ in gate {} }
    return try await store.answer(lease, with: answer, account: account)
  }

  func apply(
    _ changes: [RegistrationChange], under lease: EnrolmentLease, spending challenge: Challenge?
  ) async throws(StoreError) -> Bool? {
    let names = changes.map { change in
      switch change {
      case .add(let new), .replace(_, let new): new.name
      case .remove(let old): old.registration.name
      }
    }
    if let held = held.withLock(\.self), names.contains(held) { throw .busy(place: "store") }
    return try await store.apply(changes, under: lease, spending: challenge)
  }

  func giveBack(_ lease: RequestLease, after delay: Duration) async throws(StoreError) -> Bool {
    defer { state.withLock { $0.givenBack += 1 } }
    return try await store.giveBack(lease, after: delay)
  }
}
