import Locks
import PushCore
import PushReceiver
import PushTesting
import TestSupport
import Testing

/// Waits end at their time, and leave nothing behind when they are cancelled.
@Suite(.hangGuard)
struct SharedTimerTests {
  private let clock = CountingClock()
  private let timer: SharedTimer

  init() {
    timer = SharedTimer(
      uptime: { [clock] in clock.uptime }, sleep: { [clock] in try await clock.sleep(until: $0) })
  }

  /// Begins a wait, and returns when it waits; the task's value says whether its time came.
  @available(iOS 18, macOS 15, visionOS 2, *)
  private func begin(until end: Duration) -> Task<Bool, Never> {
    Task(executorPreference: AtOnce()) { [timer] in (try? await timer.sleep(until: end)) != nil }
  }

  /// Begins a wait, and returns when the clock has `timers` sleepers.
  @available(iOS 18, macOS 15, visionOS 2, *)
  private func begin(until end: Duration, timers: Int) async -> Task<Bool, Never> {
    let task = begin(until: end)
    await clock.base.waitForSleepers(count: timers)
    return task
  }

  @Test("a wait ends at its time")
  @available(iOS 18, macOS 15, visionOS 2, *)
  func atItsTime() async {
    let wait = await begin(until: .seconds(25), timers: 1)
    clock.base.advance(by: .seconds(25))
    #expect(await wait.value)
  }

  @Test("a wait for a past time ends at once")
  @available(iOS 18, macOS 15, visionOS 2, *)
  func over() async throws {
    clock.base.advance(by: .seconds(2))
    try await timer.sleep(until: .seconds(1))
  }

  @Test("a shorter wait that begins later ends first")
  @available(iOS 18, macOS 15, visionOS 2, *)
  func shorter() async {
    let order = Mutex<[Int]>([])
    let long = await begin(until: .seconds(25), timers: 1)
    let short = await begin(until: .seconds(1), timers: 2)
    async let isLongDone = { if await long.value { order.withLock { $0.append(25) } } }()
    clock.base.advance(by: .seconds(1))
    #expect(await short.value)
    order.withLock { $0.append(1) }
    clock.base.advance(by: .seconds(24))
    await isLongDone
    #expect(order.withLock { $0 } == [1, 25])
    #expect(clock.count == 2)
  }

  @Test("a cancelled wait throws, whenever it is cancelled")
  @available(iOS 18, macOS 15, visionOS 2, *)
  func cancelled() async {
    let wait = await begin(until: .seconds(25), timers: 1)
    wait.cancel()
    #expect(await !wait.value)
    let early = Task { [timer] in
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      try await timer.sleep(until: .seconds(25))
    }
    // A wait that was not cancelled would end now.
    clock.base.advance(by: .seconds(25))
    await #expect(throws: CancellationError.self) { try await early.value }
  }

  @Test("a thousand cancelled waits share one timer")
  @available(iOS 18, macOS 15, visionOS 2, *)
  func thousand() async {
    let first = await begin(until: .seconds(25), timers: 1)
    for number in 1...1000 {
      let wait = begin(until: .seconds(25 + number))
      wait.cancel()
      #expect(await !wait.value)
    }
    clock.base.advance(by: .seconds(25))
    #expect(await first.value)
    #expect(clock.count == 1)
  }

  @Test("a wait goes on when the wait that started its timer is cancelled")
  @available(iOS 18, macOS 15, visionOS 2, *)
  func inherited() async {
    let first = await begin(until: .seconds(10), timers: 1)
    let second = begin(until: .seconds(20))
    first.cancel()
    #expect(await !first.value)
    clock.base.advance(by: .seconds(10))
    await clock.base.waitForSleepers(count: 1)
    clock.base.advance(by: .seconds(10))
    #expect(await second.value)
    #expect(clock.count == 2)
  }

  @Test("a wait for a time long past does not delay others")
  @available(iOS 18, macOS 15, visionOS 2, *)
  func longOver() async throws {
    try await timer.sleep(until: .seconds(-2_000_000_000))
    let wait = await begin(until: .seconds(25), timers: 1)
    clock.base.advance(by: .seconds(25))
    #expect(await wait.value)
  }

  @Test("of many waits, some cancelled, each other one ends, and none early")
  @available(iOS 18, macOS 15, visionOS 2, *)
  func many() async throws {
    var generator = SeededGenerator(seed: 7)
    let ends = (0..<200).map { _ in Int.random(in: 1...50, using: &generator) }
    let waits = ends.map { end in
      Task { [timer, clock] in (try? await timer.sleep(until: .seconds(end))).map { clock.uptime } }
    }
    for index in waits.indices where index.isMultiple(of: 3) { waits[index].cancel() }
    for _ in 1...50 {
      await Task.yield()
      clock.base.advance(by: .seconds(1))
    }
    for (index, wait) in waits.enumerated() where !index.isMultiple(of: 3) {
      #expect(try #require(await wait.value) >= .seconds(ends[index]))
    }
  }
}

/// A clock that a test moves, and that counts its sleepers.
private final class CountingClock: PushClock {
  let base = ManualClock(UnixTime(seconds: 1_800_000_000)!)
  private let sleeps = Mutex(0)

  var count: Int { sleeps.withLock { $0 } }
  var now: UnixTime { base.now }
  var uptime: Duration { base.uptime }

  func sleep(until end: Duration) async throws {
    sleeps.withLock { $0 += 1 }
    try await base.sleep(until: end)
  }
}

/// Runs each part of a task at once, on the thread that resumes it.
@available(iOS 18, macOS 15, visionOS 2, *)
private final class AtOnce: TaskExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    unsafe job.runSynchronously(on: asUnownedTaskExecutor())
  }
}
