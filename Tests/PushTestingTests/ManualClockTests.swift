import PushCore
import PushReceiver
import PushTesting
import TestSupport
import Testing

@Suite(.hangGuard)
struct ManualClockTests {
  private let clock = ManualClock(UnixTime(seconds: 1_700_000_000)!)

  /// A task that sleeps, and is asleep when this returns.
  private func sleeper(_ duration: Duration, count: Int = 1) async -> Task<Int64, any Error> {
    let task = Task { [clock] in
      try await clock.sleep(for: duration)
      return clock.now.seconds
    }
    await clock.waitForSleepers(count: count)
    return task
  }

  @Test("it stands still until it is moved")
  func standsStill() {
    #expect(clock.now.seconds == 1_700_000_000)
    clock.advance(by: .seconds(61))
    #expect(clock.now.seconds == 1_700_000_061)
    clock.advance(by: .milliseconds(600))
    #expect(clock.now.seconds == 1_700_000_061)
    clock.advance(by: .milliseconds(400))
    #expect(clock.now.seconds == 1_700_000_062)
  }

  @Test("it stops at the last moment there is")
  func lastMoment() {
    let clock = ManualClock(UnixTime(seconds: 1 << 53 - 2)!)
    clock.advance(by: .seconds(10))
    #expect(clock.now.seconds == 1 << 53 - 1)
  }

  @Test("moving it wakes who is due, and nobody else")
  func due() async throws {
    let short = await sleeper(.seconds(10))
    let long = await sleeper(.seconds(20), count: 2)
    clock.advance(by: .seconds(10))
    #expect(try await short.value == 1_700_000_010)
    await clock.waitForSleepers(count: 1)
    clock.advance(by: .milliseconds(9999))
    await clock.waitForSleepers(count: 1)
    clock.advance(by: .milliseconds(1))
    #expect(try await long.value == 1_700_000_020)
  }

  @Test("several who are due at once all wake")
  func together() async throws {
    let tasks = [
      await sleeper(.seconds(1)), await sleeper(.seconds(2), count: 2), await sleeper(.seconds(3), count: 3),
    ]
    clock.advance(by: .seconds(100))
    for task in tasks { #expect(try await task.value == 1_700_000_100) }
  }

  @Test("sleep counts from when it began")
  func lateSleeper() async throws {
    clock.advance(by: .seconds(100))
    let task = await sleeper(.seconds(10))
    clock.advance(by: .seconds(9))
    await clock.waitForSleepers(count: 1)
    clock.advance(by: .seconds(1))
    #expect(try await task.value == 1_700_000_110)
  }

  @Test("a sleeper that is cancelled throws, and the others sleep on")
  func cancellation() async throws {
    let cancelled = await sleeper(.seconds(10))
    let other = await sleeper(.seconds(10), count: 2)
    cancelled.cancel()
    await #expect(throws: CancellationError.self) { try await cancelled.value }
    await clock.waitForSleepers(count: 1)
    clock.advance(by: .seconds(10))
    #expect(try await other.value == 1_700_000_010)
  }

  @Test("a task that was cancelled before does not sleep")
  func cancelledBefore() async {
    let task = Task { [clock] in
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      try await clock.sleep(for: .seconds(10))
    }
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test("waiting for sleepers ends when there are enough")
  func waiting() async throws {
    let tasks = (0..<5).map { _ in Task { [clock] in try await clock.sleep(for: .seconds(1)) } }
    await clock.waitForSleepers(count: 5)
    await clock.waitForSleepers(count: 0)
    // Who was not asleep yet would sleep on for ever.
    clock.advance(by: .seconds(1))
    for task in tasks { await #expect(throws: Never.self) { try await task.value } }
  }

  @Test("waiting for sleepers ends when the task that waits is cancelled, before or meanwhile")
  func waitingIsCancelled() async {
    let task = Task { [clock] in
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      await clock.waitForSleepers()
    }
    await task.value
    await withTaskGroup { [clock] group in
      group.addTask { await clock.waitForSleepers() }
      group.cancelAll()
    }
  }
}
