@testable import PushDelivery
import PushNetwork
import PushTesting
import Synchronization
import TestSupport
import Testing

/// Pushes of several routes in one sequence.
@Suite(.hangGuard) struct SharingTests {
  private static let other = Scene.topic("com.example.other")

  /// A sequence of so many pushes on the first route, then one on another, and so on.
  private static func jobs(_ count: Int, rounds: Int = 1) throws -> [AddressedPush] {
    let first = try Scene.pushes(1)[0]
    let second = try Scene.pushes(1, topic: other)[0]
    let round =
      [AddressedPush](repeating: AddressedPush(first, to: Scene.address()), count: count)
      + [AddressedPush(second, to: Scene.address(topic: other))]
    return Array(repeating: round, count: rounds).flatMap(\.self)
  }

  private static func stream(_ jobs: [AddressedPush], _ read: Counter) -> AsyncStream<AddressedPush> {
    AsyncStream { read.next().flatMap { $0 <= jobs.count ? jobs[$0 - 1] : nil } }
  }

  /// Counts from 1.
  private final class Counter: Sendable {
    private let state = Mutex(0)

    var count: Int { state.withLock(\.self) }

    func next() -> Int? {
      state.withLock { count in
        count += 1
        return count
      }
    }
  }

  private static func silentScene(_ clock: ManualClock) async throws -> Scene {
    try await LossTests.scene(clock) { configuration in
      configuration.retries.patience = .seconds(60)
    } script: { _, request, record in
      request["apns-topic"] == Scene.topic.text ? .silence : record.accept(request)
    }
  }

  @Test("A route that gets no answers gives back what it has no place for, and does not delay another")
  func heldUp() async throws {
    let clock = ManualClock(.now)
    let scene = try await Self.silentScene(clock)
    let jobs = try Self.jobs(30, rounds: 2)
    let read = Counter()
    var iterator = scene.client.send(Self.stream(jobs, read), atATime: 10).makeAsyncIterator()
    let mover = scene.mover(of: clock)
    var (givenBack, accepted) = (0, 0)
    while givenBack < 50 || accepted < 2 {
      let result = try #require(await iterator.next())
      switch result.result {
      case .success(let response):
        #expect(response.isAccepted && result.job.address.topic == Self.other)
        accepted += 1
      case .failure(let error):
        #expect(error == DeliveryError(cause: .routeHeldUp, mayBeDelivered: false))
        givenBack += 1
      }
    }
    mover.cancel()
    #expect(clock.uptime >= .seconds(60))
    #expect(givenBack == 50 && accepted == 2 && scene.record.accepted.count == 1)
    await scene.stop()
  }

  @Test("Before a route is held up, the next push waits for a place on it")
  func waits() async throws {
    let clock = ManualClock(.now)
    let scene = try await Self.silentScene(clock)
    let read = Counter()
    let jobs = try Self.jobs(30)
    let task = Task {
      var iterator = scene.client.send(Self.stream(jobs, read), atATime: 10).makeAsyncIterator()
      return await iterator.next()
    }
    try await HangGuard.wait(for: "ten requests") { scene.record.requests == 10 }
    clock.advance(by: .milliseconds(59_999))
    #expect(read.count <= 11)
    try await HangGuard.wait(for: "a result") {
      clock.advance(by: .milliseconds(1))
      return read.count > 11
    }
    guard case .failure(let error) = try #require(await task.value).result else {
      Issue.record("accepted")
      return
    }
    #expect(error.cause == .routeHeldUp)
    await scene.stop()
  }

  @Test("What is given back waits until it is taken")
  func backPressure() async throws {
    let clock = ManualClock(.now)
    let scene = try await Self.silentScene(clock)
    let read = Counter()
    let jobs = try Self.jobs(100)
    var iterator = scene.client.send(Self.stream(jobs, read), atATime: 10).makeAsyncIterator()
    let mover = scene.mover(of: clock)
    for taken in 1...20 {
      #expect(try #require(await iterator.next()).result.isGivenBack)
      // Ten have places, and one more is read when the last one given back was taken.
      #expect(read.count <= 10 + taken + 1)
    }
    mover.cancel()
    await scene.stop()
  }

  /// Of the route's share itself: nothing else says when a result is there that nobody has taken.
  @Test("A consumer that takes its time does not make a route seem held up")
  func slowConsumer() {
    var share = RouteShare(limit: 10)
    for second in 1...10 { share.take(at: .seconds(second)) }
    for _ in 1...10 { share.end() }
    #expect(share.isFull && share.heldUp(at: .seconds(1000), patience: .seconds(60)) == nil)
    // One place after the other becomes free, and is taken by a push that has no result yet.
    for second in 1001...1006 {
      #expect(share.heldUp(at: .seconds(second), patience: .seconds(60)) == nil)
      share.free()
      share.take(at: .seconds(second))
    }
    #expect(share.heldUp(at: .seconds(1006), patience: .seconds(60)) == .seconds(1066))
  }

  @Test("A route has time for as many pushes as it has places, and then for as many again")
  func patience() {
    var share = RouteShare(limit: 10)
    for _ in 1...10 { share.take(at: .zero) }
    func end(_ count: Int, at now: Duration) {
      for _ in 1...count {
        share.end()
        share.free()
        share.take(at: now)
      }
    }
    end(9, at: .seconds(30))
    #expect(share.heldUp(at: .seconds(30), patience: .seconds(60)) == .seconds(60))
    end(1, at: .seconds(40))
    #expect(share.heldUp(at: .seconds(40), patience: .seconds(60)) == .seconds(100))
    end(9, at: .seconds(50))
    #expect(share.heldUp(at: .seconds(50), patience: .seconds(60)) == .seconds(100))
  }
}

extension Result where Success == APNsResponse, Failure == DeliveryError {
  fileprivate var isGivenBack: Bool {
    if case .failure(let error) = self { error.cause == .routeHeldUp } else { false }
  }
}
