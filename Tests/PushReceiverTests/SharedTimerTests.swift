import PushEnvelope
import PushReceiver
import PushTesting
import Synchronization
import Testing

/// Waits end at their time, and leave nothing behind when they are cancelled.
@Suite(.timeLimit(.minutes(5)))
struct SharedTimerTests {
  private let clock = CountingClock()
  private let timer: SharedTimer

  init() { timer = SharedTimer(clock) }

  /// Begins a wait, and returns when the clock has so many.
  private func begin(until end: Duration, timers: Int) async -> Task<Bool, Never> {
    let task = Task { [timer] in (try? await timer.sleep(until: end)) != nil }
    await clock.base.waitForSleepers(timers)
    return task
  }

  @Test("a wait ends at its time")
  func atItsTime() async {
    let wait = await begin(until: .seconds(25), timers: 1)
    clock.base.advance(by: .seconds(25))
    #expect(await wait.value)
  }

  @Test("one whose time is over ends at once")
  func over() async throws {
    clock.base.advance(by: .seconds(2))
    try await timer.sleep(until: .seconds(1))
  }

  @Test("a shorter one that begins later ends before")
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

  @Test("one that is cancelled throws, whenever that is")
  func cancelled() async {
    let wait = await begin(until: .seconds(25), timers: 1)
    wait.cancel()
    #expect(await !wait.value)
    let early = Task { [timer] in
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      try await timer.sleep(until: .seconds(25))
    }
    await #expect(throws: CancellationError.self) { try await early.value }
  }

  @Test("a thousand that are cancelled share a timer")
  func thousand() async {
    let first = await begin(until: .seconds(25), timers: 1)
    for number in 1...1000 {
      let wait = Task { [timer] in try await timer.sleep(until: .seconds(25 + number)) }
      wait.cancel()
      await #expect(throws: CancellationError.self) { try await wait.value }
    }
    clock.base.advance(by: .seconds(25))
    #expect(await first.value)
    #expect(clock.count == 1)
  }

  @Test("one goes on when that whose timer it has was cancelled")
  func inherited() async {
    let first = await begin(until: .seconds(10), timers: 1)
    let second = Task { [timer] in (try? await timer.sleep(until: .seconds(20))) != nil }
    // It has no timer of its own that could tell that it has begun.
    for _ in 0..<1000 { await Task.yield() }
    first.cancel()
    #expect(await !first.value)
    clock.base.advance(by: .seconds(10))
    await clock.base.waitForSleepers(1)
    clock.base.advance(by: .seconds(10))
    #expect(await second.value)
  }

  @Test("many at once, some cancelled: each ends, and none early")
  func many() async throws {
    var generator = SeededGenerator(7)
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

/// A clock that a test moves, and that counts who waits for it.
private final class CountingClock: ReceiverClock {
  let base = ManualClock(UnixTime(seconds: 1_800_000_000)!)
  private let sleeps = Atomic(0)

  var count: Int { sleeps.load(ordering: .relaxed) }
  var now: UnixTime { base.now }
  var uptime: Duration { base.uptime }

  func sleep(for duration: Duration) async throws {
    sleeps.add(1, ordering: .relaxed)
    try await base.sleep(for: duration)
  }
}
