import Dispatch
import Foundation
import Locks
import PushCore
import PushKeys
import PushReceiver
import PushTesting
import TestSupport
import Testing

/// The work and the system's expiry at the same moment, from two threads.
@Suite(.hangGuard)
struct RaceTests {
  private static let rounds = 10_000

  @Test("in every round the handler is called once, by whoever came first")
  func exactlyOnce() async throws {
    let parties = Parties()
    let push = try parties.push()
    let clock = ManualClock(Parties.now)
    let calls = Calls(rounds: Self.rounds)
    // Left by each round's work when it has ended, so that no late call is missed.
    let work = DispatchGroup()
    // A thread of its own: one of the pool's that never rests would keep the work from starting.
    work.enter()
    Thread.detachNewThread {
      var generator = SeededGenerator(seed: 3)
      for round in 0..<Self.rounds {
        work.enter()
        let start = StartingLine(delay: .random(in: 0..<8000, using: &generator)) { work.leave() }
        let reception = parties.receiver(keys: start, clock: clock)
          .receive(push) { calls.add($0.outcome, round: round) }
        start.wait()
        spin(.random(in: 0..<8000, using: &generator))
        reception.handOver()
      }
      work.leave()
    }
    await withCheckedContinuation { continuation in
      work.notify(queue: .global()) { continuation.resume() }
    }
    let (counts, outcomes) = calls.all
    #expect(counts.allSatisfy { $0 == 1 })
    #expect(Set(outcomes.keys) == [.degraded(.keyLocked), .degraded(.deadline)], "each must win at times")
    #expect(outcomes.values.reduce(0, +) == Self.rounds)
  }

  @Test("many who expire at once call the handler once")
  func manyExpire() async throws {
    let parties = Parties()
    let push = try parties.push()
    for _ in 0..<100 {
      let recorder = Recorder()
      let stalled = StalledKeyStore(parties.device)
      let reception = parties.receiver(keys: stalled).receive(push) { recorder.record($0) }
      DispatchQueue.concurrentPerform(iterations: 4) { _ in reception.handOver() }
      #expect(recorder.receptions.count == 1)
      stalled.release()
    }
  }
}

/// How often each round's handler was called, and with what.
private final class Calls: Sendable {
  private let tally: Mutex<(counts: [Int], outcomes: [Outcome: Int])>

  init(rounds: Int) { tally = Mutex(([Int](repeating: 0, count: rounds), [:])) }

  var all: (counts: [Int], outcomes: [Outcome: Int]) { tally.withLock { $0 } }

  func add(_ outcome: Outcome, round: Int) {
    tally.withLock {
      $0.counts[round] += 1
      $0.outcomes[outcome, default: 0] += 1
    }
  }
}

/// A locked key store at which the work's thread and the test's meet.
private final class StartingLine: DeviceKeyStore {
  private let hasArrived = Mutex(false)
  private let delay: Int
  private let onRelease: @Sendable () -> Void

  init(delay: Int, onRelease: @escaping @Sendable () -> Void) {
    self.delay = delay
    self.onRelease = onRelease
  }

  deinit { onRelease() }

  func deviceKey(for id: KeyID, at now: UnixTime) throws(KeyStoreError) -> DeviceKey? {
    hasArrived.withLock { $0 = true }
    spin(delay)
    throw .locked
  }

  /// Returns when the work has come so far.
  func wait() {
    while !hasArrived.withLock({ $0 }) { sched_yield() }
  }
}

/// Takes a few microseconds.
private func spin(_ nanoseconds: Int) {
  let end = ContinuousClock.now + .nanoseconds(nanoseconds)
  while ContinuousClock.now < end {}
}
