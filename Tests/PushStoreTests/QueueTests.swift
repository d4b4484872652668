import PushCore
import PushSealer
import PushStore
import StoreSupport
import TestSupport
import Testing

@Suite("A queue", .hangGuard)
struct QueueTests {
  @Test("gives a job as it was enqueued", arguments: Engine.all)
  func whole(engine: Engine) async throws {
    let store = try await engine.start().store
    let job = try Job(
      ["aps": ["alert": "Möhren 'und' \"Äpfel\""], "basket": "\u{0}"], to: "ali'ce",
      topic: Topic("com.example.app"),
      priority: .first, notBefore: start, expiresAt: start.advanced(by: .seconds(100)),
      lifetime: Lifetime(seconds: 60),
      apnsPriority: .considerate, collapseID: "lunch", at: start.advanced(by: .seconds(-5)))
    let ids = try await store.enqueue([job])
    let leased = try await store.lease(atMost: 2, for: .seconds(60), sender: nil)
    #expect(try leased.map { try $0.job.get() } == [job])
    #expect(leased.map(\.lease) == [Lease(job: ids[0], number: 1)])
    #expect(leased[0].leaseEnd == start.advanced(by: .seconds(60)) && leased[0].attempt == 1)
    #expect(leased[0].senders.isEmpty && leased[0].settled.isEmpty)
  }

  @Test("gives a background push as it was enqueued", arguments: Engine.all)
  func background(engine: Engine) async throws {
    let store = try await engine.start().store
    let job = try Job(
      ["aps": ["content-available": 1], "sync": "inbox"], to: "alice", pushType: .background, at: start)
    try await store.enqueue([job])
    let leased = try await store.lease(atMost: 2, for: .seconds(60), sender: nil)
    let given = try #require(leased.first).job.get()
    #expect(given == job && given.pushType == .background)
  }

  @Test("enqueues a message once", arguments: Engine.all)
  func once(engine: Engine) async throws {
    let bench = try await engine.start()
    let store = bench.store
    let job = try Job(["aps": ["alert": "Lunch"]], to: "alice", at: start)
    let again = try Job(["aps": ["alert": "Dinner"]], to: "bob", messageID: job.messageID, at: start)
    let other = try Job(.lunch, to: "carol", at: start)
    let first = try await store.enqueue([job])
    #expect(try await store.enqueue([again, other])[0] == first[0])
    let leased = try await store.lease(atMost: 9, for: .seconds(60), sender: nil)
    #expect(try leased.map { try $0.job.get() } == [job, other])
    // A dead letter is still there.
    try await store.discard([JobDiscard(leased[0].lease, reason: "no reason")])
    #expect(try await store.enqueue([again]) == first)
    try await store.acknowledge([leased[1].lease])
    #expect(try await store.statistics() == counts(dead: 1))
  }

  @Test(
    "leases the most urgent first, then the longest ready, then the first enqueued", arguments: Engine.all)
  func order(engine: Engine) async throws {
    let bench = try await engine.start()
    let names = ["standard", "last", "first late", "first", "first again", "standard again"]
    let priorities: [JobPriority] = [.standard, .last, .first, .first, .first, .standard]
    for (name, priority) in zip(names, priorities) {
      let delay: Int64 = name.hasSuffix("late") ? 5 : 1
      try await bench.store.enqueue([
        Job(.lunch, to: name, priority: priority, notBefore: start.advanced(by: .seconds(delay)), at: start)
      ])
    }
    try await bench.advance(by: .seconds(5))
    let wanted = ["first", "first again", "first late", "standard", "standard again", "last"]
    #expect(try await people(bench.store, atMost: 4) == Array(wanted[..<4]))
    #expect(try await people(bench.store, atMost: 0) == [])
    #expect(try await people(bench.store, atMost: -1) == [])
    #expect(try await people(bench.store, atMost: 9) == Array(wanted[4...]))
  }

  @Test("keeps a job back until its time", arguments: Engine.all)
  func notBefore(engine: Engine) async throws {
    let bench = try await engine.start()
    try await bench.store.enqueue([
      Job(.lunch, to: "alice", notBefore: start.advanced(by: .seconds(10)), at: start)
    ])
    try await bench.advance(by: .milliseconds(9900))
    #expect(try await people(bench.store) == [])
    #expect(try await bench.store.statistics() == counts(delayed: 1))
    // Not with another one either.
    try await bench.store.enqueue([Job(.lunch, to: "bob", at: start)])
    #expect(try await people(bench.store) == ["bob"])
    try await bench.advance(by: .milliseconds(100))
    #expect(try await people(bench.store) == ["alice"])
  }

  @Test("says of a job that it is too late for it", arguments: Engine.all)
  func expiry(engine: Engine) async throws {
    let bench = try await engine.start()
    let end = start.advanced(by: .seconds(10))
    try await bench.store.enqueue([
      Job(.lunch, to: "in time", expiresAt: end.advanced(by: .seconds(1)), at: start),
      Job(.lunch, to: "late", expiresAt: end, at: start),
    ])
    try await bench.advance(by: .seconds(10))
    let leased = try await bench.store.lease(atMost: 9, for: .seconds(60), sender: nil)
    #expect(try leased[0].job.get().person == "in time")
    #expect(throws: JobFault.expired(at: end)) { try leased[1].job.get() }
  }

  @Test("gives a job to another when the lease ends, and hears no more of the first", arguments: Engine.all)
  func lease(engine: Engine) async throws {
    let bench = try await engine.start()
    let store = bench.store
    try await store.enqueue([Job(.lunch, to: "alice", at: start)])
    let slow = try await store.lease(atMost: 1, for: .seconds(60), sender: nil)[0]
    try await bench.advance(by: .seconds(59))
    #expect(try await people(store) == [])
    try await bench.advance(by: .seconds(1))
    let other = try await store.lease(atMost: 1, for: .seconds(60), sender: nil)[0]
    #expect(other.lease == Lease(job: slow.lease.job, number: 2) && other.attempt == 2)
    #expect(try await store.extend([slow.lease], for: .seconds(900)).isEmpty)
    #expect(try await store.acknowledge([slow.lease]) == 0)
    #expect(try await store.retry([JobRetry(slow, after: .zero, reason: "slow")]) == 0)
    #expect(try await store.discard([JobDiscard(slow.lease, reason: "slow")]) == 0)
    #expect(try await store.statistics() == counts(leased: 1))
    #expect(try await store.acknowledge([other.lease, other.lease]) == 1)
    #expect(try await store.statistics() == counts())
  }

  @Test("gives no later job the number of one that is gone", arguments: Engine.all)
  func numbers(engine: Engine) async throws {
    let store = try await engine.start().store
    var ids: Set<JobID> = []
    var old: [Lease] = []
    for round in 0..<3 {
      ids.formUnion(try await store.enqueue([Job(.lunch, to: "alice", at: start)]))
      let leases = try await store.lease(atMost: 9, for: .seconds(60), sender: nil).map(\.lease)
      #expect(try await store.acknowledge(old) == 0)
      #expect(try await store.acknowledge(leases) == 1)
      old += leases
      #expect(ids.count == round + 1)
    }
  }

  @Test("lets a lease end later", arguments: Engine.all)
  func extending(engine: Engine) async throws {
    let bench = try await engine.start()
    let store = bench.store
    try await store.enqueue([Job(.lunch, to: "alice", at: start), Job(.lunch, to: "bob", at: start)])
    let leases = try await store.lease(atMost: 2, for: .seconds(60), sender: nil).map(\.lease)
    try await store.acknowledge([leases[0]])
    try await bench.advance(by: .seconds(50))
    #expect(try await store.extend(leases, for: .seconds(60)) == [leases[1]])
    try await bench.advance(by: .seconds(59))
    #expect(try await people(store) == [])
    // Late, but nobody else has leased it.
    try await bench.advance(by: .seconds(2))
    #expect(try await store.extend(leases, for: .seconds(60)) == [leases[1]])
    #expect(try await people(store) == [])
  }

  @Test("has leases that are right again when a clock is that was wrong", arguments: Engine.all)
  func clockSetBack(engine: Engine) async throws {
    let bench = try await engine.start()
    try await bench.advance(by: .seconds(3600))
    try await bench.store.enqueue(["alive", "dead"].map { try Job(.lunch, to: $0, at: start) })
    let leases = try await bench.store.lease(atMost: 2, for: .seconds(60), sender: nil).map(\.lease)
    try await bench.advance(by: .seconds(-3600))
    try await bench.store.enqueue([Job(.lunch, to: "new", at: start)])
    #expect(try await people(bench.store) == ["new"])
    #expect(try await bench.store.extend([leases[0]], for: .seconds(60)) == [leases[0]])
    try await bench.advance(by: .seconds(60))
    #expect(try await people(bench.store).sorted() == ["alive", "new"])
    // Whose worker has died waits until the clock is where it was.
    try await bench.advance(by: .seconds(3600))
    #expect(try await people(bench.store).contains("dead"))
  }

  @Test("tries a job again with its sender and without the devices that are settled", arguments: Engine.all)
  func retry(engine: Engine) async throws {
    let bench = try await engine.start()
    let store = bench.store
    let (first, second) = (thumbprint(1), thumbprint(2))
    try await store.enqueue([Job(.lunch, to: "alice", at: start)])
    var job = try await store.lease(atMost: 1, for: .seconds(60), sender: first)[0]
    #expect(job.senders == [first])
    let retry = JobRetry(job, after: .milliseconds(2500), settling: [thumbprint(7)], reason: "APNs is busy")
    #expect(try await store.retry([retry]) == 1)
    #expect(try await store.retry([retry]) == 0)
    #expect(try await store.acknowledge([job.lease]) == 0)
    #expect(try await store.statistics() == counts(delayed: 1))
    try await bench.advance(by: .milliseconds(2400))
    #expect(try await people(store) == [])
    try await bench.advance(by: .milliseconds(100))
    job = try await store.lease(atMost: 1, for: .seconds(60), sender: second)[0]
    #expect(job.senders == [first] && job.settled == [thumbprint(7)] && job.attempt == 2)
    try await store.retry([JobRetry(job, after: .zero, settling: [thumbprint(8)], reason: "")])
    job = try await store.lease(atMost: 1, for: .seconds(60), sender: second)[0]
    #expect(job.senders == [first] && job.settled == [thumbprint(7), thumbprint(8)] && job.attempt == 3)
  }

  @Test("gives a job its old place if its retry does not wait", arguments: Engine.all)
  func place(engine: Engine) async throws {
    let bench = try await engine.start()
    let store = bench.store
    try await store.enqueue(["first", "second"].map { try Job(.lunch, to: $0, at: start) })
    // Written by a system whose clock is fast.
    try await store.enqueue([Job(.lunch, to: "future", at: start.advanced(by: .seconds(60)))])
    try await bench.advance(by: .seconds(1))
    let leased = try await store.lease(atMost: 3, for: .seconds(60), sender: nil)
    try await bench.advance(by: .seconds(9))
    try await store.enqueue([Job(.lunch, to: "late", at: start.advanced(by: .seconds(10)))])
    try await store.retry(leased.map { JobRetry($0, after: .zero, reason: "") })
    #expect(try await store.statistics() == counts(ready: 4, oldest: .seconds(10)))
    #expect(try await people(store, atMost: 2) == ["first", "second"])
    #expect(Set(try await people(store, atMost: 2)) == ["late", "future"])
  }

  @Test(
    "counts as many attempts of a job as its retry says, and numbers its leases on", arguments: Engine.all)
  func attempts(engine: Engine) async throws {
    let bench = try await engine.start()
    let store = bench.store
    try await store.enqueue([Job(.lunch, to: "alice", at: start)])
    var seen: [Int] = []
    for attempts in [nil, 0, 1, 9, -1, nil] {
      // A lease that never ends counts.
      _ = try await store.lease(atMost: 1, for: .zero, sender: nil)
      let job = try await store.lease(atMost: 1, for: .seconds(60), sender: nil)[0]
      seen.append(job.attempt)
      #expect(job.lease.number == Int64(seen.count * 2))
      try await store.retry([JobRetry(job, after: .zero, attempts: attempts, reason: "")])
    }
    #expect(seen == [2, 4, 2, 3, 5, 2])
    let last = try await store.lease(atMost: 1, for: .seconds(60), sender: nil)[0]
    try await store.discard([JobDiscard(last.lease, reason: "")])
    #expect(try await store.deadLetters(after: nil, atMost: 1).map(\.attempts) == [3])
  }

  @Test("keeps the sender of an attempt that crashed", arguments: Engine.all)
  func sender(engine: Engine) async throws {
    let bench = try await engine.start()
    try await bench.store.enqueue([Job(.lunch, to: "alice", at: start)])
    #expect(try await bench.store.lease(atMost: 1, for: .seconds(1), sender: nil)[0].senders.isEmpty)
    try await bench.advance(by: .seconds(1))
    _ = try await bench.store.lease(atMost: 1, for: .seconds(1), sender: thumbprint(1))
    try await bench.advance(by: .seconds(1))
    #expect(
      try await bench.store.lease(atMost: 1, for: .seconds(1), sender: thumbprint(2))[0].senders
        == [thumbprint(1)])
  }

  @Test("counts its jobs", arguments: Engine.all)
  func statistics(engine: Engine) async throws {
    let bench = try await engine.start()
    let store = bench.store
    #expect(try await store.statistics() == counts())
    #expect(try await store.oldestReady() == nil)
    for name in ["leased", "dead"] { try await store.enqueue([Job(.lunch, to: name, at: start)]) }
    let leased = try await store.lease(atMost: 2, for: .seconds(60), sender: nil)
    try await store.discard([JobDiscard(leased[1].lease, reason: "")])
    try await store.enqueue([
      Job(.lunch, to: "delayed", notBefore: start.advanced(by: .seconds(100)), at: start)
    ])
    try await store.enqueue([Job(.lunch, to: "old", at: start)])
    try await bench.advance(by: .seconds(2))
    try await store.enqueue([Job(.lunch, to: "new", priority: .first, at: start)])
    #expect(
      try await store.statistics()
        == counts(ready: 2, delayed: 1, leased: 1, dead: 1, oldest: .seconds(2)))
    #expect(try await store.oldestReady() == .seconds(2))
    try await bench.advance(by: .seconds(58))
    #expect(
      try await store.statistics() == counts(ready: 3, delayed: 1, dead: 1, oldest: .seconds(60)))
    #expect(try await store.oldestReady() == .seconds(60))
  }

  @Test("tells the number of the last job, also when it is done", arguments: Engine.all)
  func lastJob(engine: Engine) async throws {
    let store = try await engine.start().store
    #expect(try await store.lastJob() == nil)
    let ids = try await store.enqueue((1...3).map { try Job(.lunch, to: "\($0)", at: start) })
    #expect(try await store.lastJob() == ids[2])
    _ = try await store.acknowledge(
      store.lease(atMost: 3, for: .seconds(60), sender: nil).map(\.lease))
    #expect(try await store.lastJob() == ids[2])
    #expect(try await store.enqueue([Job(.lunch, to: "4", at: start)])[0] == JobID(ids[2].number + 1))
  }

  @Test("says whether a job is ready", arguments: Engine.all)
  func arrival(engine: Engine) async throws {
    let bench = try await engine.start()
    try await bench.store.enqueue([
      Job(.lunch, to: "alice", notBefore: start.advanced(by: .seconds(1)), at: start)
    ])
    #expect(try await bench.store.jobsArrived(within: .zero) == false)
    try await bench.advance(by: .seconds(1))
    #expect(try await bench.store.jobsArrived(within: .zero))
  }

  @Test("wakes who waits for a job", arguments: Engine.all)
  func waiting(engine: Engine) async throws {
    let store = try await engine.start().store
    async let hasArrived = store.jobsArrived(within: HangGuard.patience)
    try await store.enqueue([Job(.lunch, to: "alice", at: start)])
    #expect(try await hasArrived)
  }

  @Test("stops waiting when the task is cancelled", arguments: Engine.all)
  func cancellation(engine: Engine) async throws {
    let store = try await engine.start().store
    let task = Task { try await store.jobsArrived(within: HangGuard.patience) }
    task.cancel()
    #expect(try await task.value == false)
  }

  @Test("gives each job to one of many workers", arguments: Engine.all)
  func workers(engine: Engine) async throws {
    let store = try await engine.start().store
    try await store.enqueue((0..<200).map { try Job(.lunch, to: "\($0)", at: start) })
    let leased = try await withThrowingTaskGroup { group in
      for _ in 0..<8 {
        group.addTask {
          var all: [String] = []
          while case let some = try await people(store, atMost: 7), !some.isEmpty { all += some }
          return all
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    #expect(leased.count == 200 && Set(leased).count == 200)
  }
}

/// Leases jobs for a minute, and says for whom.
func people(_ store: any Store, atMost count: Int = 9) async throws -> [String] {
  try await store.lease(atMost: count, for: .seconds(60), sender: nil).map { try $0.job.get().person }
}

/// Leases all jobs by workers that do so at once, each with its store, some at a time, and says for whom.
func people(ofAll stores: [any Store]) async throws -> [String] {
  try await withThrowingTaskGroup { group in
    for store in stores {
      group.addTask {
        var all: [String] = []
        while case let some = try await people(store, atMost: 7), !some.isEmpty { all += some }
        return all
      }
    }
    return try await group.reduce(into: []) { $0 += $1 }
  }
}

/// A thumbprint of this byte.
func thumbprint(_ byte: UInt8) -> Thumbprint { Thumbprint([UInt8](repeating: byte, count: 32))! }

/// A queue's numbers.
func counts(
  ready: Int = 0, delayed: Int = 0, leased: Int = 0, dead: Int = 0, oldest: Duration? = nil
) -> QueueStatistics {
  QueueStatistics(ready: ready, delayed: delayed, leased: leased, dead: dead, oldestReady: oldest)
}
