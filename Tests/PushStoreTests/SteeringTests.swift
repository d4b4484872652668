import PushCore
import PushStore
import StoreSupport
import TestSupport
import Testing

/// Pauses, limits and held jobs.
@Suite("What operators let workers do", .hangGuard)
struct SteeringTests {
  private let app: Topic
  private let other: Topic

  init() throws { (app, other) = (try Topic("com.example.app"), try Topic("com.example.other")) }

  /// Enqueues jobs and holds them for a route, and returns their texts in order.
  private func hold(_ texts: [String], for topic: Topic, in store: any Store) async throws {
    try await store.enqueue(
      texts.map { try Job(["aps": ["alert": .string($0)]], to: "ada", topic: topic, at: start) })
    let leased = try await store.lease(atMost: 99, for: .seconds(60), sender: nil)
    let route = Route(topic: topic, environment: .production)
    try await store.retry(
      leased.map { JobRetry($0, after: .seconds(3600), attempts: 0, heldFor: route, reason: "paused") })
  }

  private func ready(_ store: any Store) async throws -> [String?] {
    try await store.lease(atMost: 99, for: .seconds(60), sender: nil).map {
      try $0.job.get().payload["aps"]?.object?["alert"]?.string
    }
  }

  @Test("a pause is there for all, keeps when it began, and ends with its scope", arguments: Engine.all)
  func pauses(engine: Engine) async throws {
    let bench = try await engine.start()
    let (store, another) = (bench.store, try await bench.another())
    #expect(try await store.steering() == .none)
    let scope = RouteScope(topic: app, environment: .sandbox)
    #expect(try await store.pause(scope))
    try await bench.advance(by: .seconds(7))
    #expect(try await !store.pause(scope))
    #expect(try await store.pause(RouteScope(environment: .production)))
    let steering = try await another.steering()
    #expect(steering.pauses.map(\.scope) == [scope, RouteScope(environment: .production)])
    #expect(steering.pauses.map(\.since) == [start, start.advanced(by: .seconds(7))])
    #expect(steering.isPaused(Route(topic: app, environment: .sandbox)))
    #expect(steering.isPaused(Route(topic: other, environment: .production)))
    #expect(!steering.isPaused(Route(topic: other, environment: .sandbox)) && !steering.isAllPaused)
    #expect(try await another.resume(RouteScope(topic: other)) == 0)
    #expect(try await another.resume(RouteScope(topic: app)) == 1)
    #expect(try await store.pause(.all))
    #expect(try await store.steering().isAllPaused)
    #expect(try await store.resume(RouteScope(environment: .production)) == 1)
    #expect(try await store.steering().isPaused(Route(topic: other, environment: .sandbox)))
    #expect(try await store.resume(.all) == 1)
    #expect(try await another.steering() == .none)
  }

  @Test("a held job is not leased until its route goes again", arguments: Engine.all)
  func held(engine: Engine) async throws {
    let store = try await engine.start().store
    try await store.pause(RouteScope(topic: app))
    try await hold(["one", "two"], for: app, in: store)
    #expect(try await store.releaseHeld(atMost: 10) == 0)
    #expect(try await ready(store).isEmpty)
    try await hold(["three"], for: other, in: store)
    #expect(try await store.releaseHeld(atMost: 10) == 1)
    #expect(try await ready(store) == ["three"])
    try await store.resume(.all)
    #expect(try await store.releaseHeld(atMost: 1) == 1)
    #expect(try await ready(store) == ["one"])
    #expect(try await store.releaseHeld(atMost: 10) == 1)
    #expect(try await ready(store) == ["two"])
    #expect(try await store.releaseHeld(atMost: 10) == 0)
  }

  @Test("the most urgent held job is released first", arguments: Engine.all)
  func urgency(engine: Engine) async throws {
    let store = try await engine.start().store
    try await store.enqueue([
      Job(["aps": ["alert": "slow"]], to: "ada", priority: .last, at: start),
      Job(["aps": ["alert": "quick"]], to: "ada", priority: .first, at: start),
    ])
    try await hold([], for: app, in: store)
    #expect(try await store.releaseHeld(atMost: 1) == 1)
    #expect(try await ready(store) == ["quick"])
  }

  @Test("a held job whose time is over is leased, to be given up", arguments: Engine.all)
  func expiry(engine: Engine) async throws {
    let bench = try await engine.start()
    try await bench.store.pause(.all)
    try await hold(["one"], for: app, in: bench.store)
    try await bench.advance(by: .seconds(3600))
    #expect(try await ready(bench.store) == ["one"])
    // Leased, it is held no more.
    try await bench.store.resume(.all)
    #expect(try await bench.store.releaseHeld(atMost: 10) == 0)
  }

  @Test("a held job that is forgotten or cancelled is released no more", arguments: Engine.all)
  func gone(engine: Engine) async throws {
    let store = try await engine.start().store
    try await hold(["one"], for: app, in: store)
    try await store.forget(person: "ada")
    #expect(try await store.releaseHeld(atMost: 10) == 0)
  }

  @Test("no window of a limit's time has more than the limit", arguments: Engine.all)
  func limit(engine: Engine) async throws {
    let bench = try await engine.start()
    let (one, two) = (bench.store, try await bench.another())
    #expect(try await one.takeShare(of: app, atMost: 5) == nil)
    try await one.limit(app, to: RateLimit(10, within: .seconds(60)))
    #expect(try await two.steering().rates == [app: RateLimit(10, within: .seconds(60))])
    #expect(try await one.takeShare(of: app, atMost: 7)?.count == 7)
    try await bench.advance(by: .seconds(30))
    #expect(try await two.takeShare(of: app, atMost: 7)?.count == 3)
    #expect(try await one.takeShare(of: app, atMost: 7)?.count == 0)
    #expect(try await one.takeShare(of: other, atMost: 7) == nil)
    // A share may be used for a tenth of the time, and counts for that longer.
    try await bench.advance(by: .seconds(35))
    #expect(try await one.takeShare(of: app, atMost: 7)?.count == 0)
    try await bench.advance(by: .seconds(3))
    #expect(try await one.takeShare(of: app, atMost: 9)?.count == 7)
    try await one.limit(app, to: nil)
    #expect(try await one.takeShare(of: app, atMost: 9) == nil)
    #expect(try await one.steering() == .none)
  }

  @Test("no more held jobs of a limited topic are released than may go", arguments: Engine.all)
  func releaseOfLimited(engine: Engine) async throws {
    let bench = try await engine.start()
    let store = bench.store
    try await store.limit(app, to: RateLimit(2, within: .seconds(10)))
    try await hold(["one", "two", "three"], for: app, in: store)
    #expect(try await store.releaseHeld(atMost: 10) == 2)
    #expect(try await store.takeShare(of: app, atMost: 2)?.count == 2)
    #expect(try await store.releaseHeld(atMost: 10) == 0)
    try await bench.advance(by: .seconds(12))
    #expect(try await store.releaseHeld(atMost: 10) == 1)
  }

  @Test("workers that ask at once share a limit", arguments: Engine.all)
  func together(engine: Engine) async throws {
    let bench = try await engine.start()
    try await bench.store.limit(app, to: RateLimit(50, within: .seconds(60)))
    let stores = [bench.store, try await bench.another(), try await bench.another()]
    let taken = try await withThrowingTaskGroup { group in
      for store in stores {
        group.addTask { [app] in
          var count = 0
          for _ in 0..<10 { count += try await store.takeShare(of: app, atMost: 3)?.count ?? 0 }
          return count
        }
      }
      var count = 0
      for try await taken in group { count += taken }
      return count
    }
    #expect(taken == 50)
  }

  @Test("stopped routes are there until they go again or are old", arguments: Engine.all)
  func stopped(engine: Engine) async throws {
    let bench = try await engine.start()
    let store = bench.store
    let (route, going) = (
      Route(topic: app, environment: .production), Route(topic: other, environment: .sandbox)
    )
    try await bench.store.note(
      stopped: [StoppedRoute(route, reason: "Forbidden", stoppedAt: start)], going: [])
    try await store.note(stopped: [StoppedRoute(going, reason: "slow", stoppedAt: start)], going: [])
    #expect(try await store.stoppedRoutes().map(\.reason) == ["Forbidden", "slow"])
    try await store.note(stopped: [], going: [going])
    #expect(try await store.stoppedRoutes().map(\.route) == [route])
    try await bench.advance(by: .seconds(600))
    #expect(try await store.stoppedRoutes().isEmpty)
  }

  @Test("jobs are counted by app and type, the largest groups first", arguments: Engine.all)
  func depths(engine: Engine) async throws {
    let bench = try await engine.start()
    try await hold(["one"], for: other, in: bench.store)
    for type in ["alert", "alert", "background"] {
      try await bench.insert([.person: "ada", .payload: "{}", .topic: app.text, .pushType: type])
    }
    try await bench.insert([.person: "ada", .payload: "{}", .topic: app.text, .pushType: "alert"])
    let lease = try #require(try await bench.store.lease(atMost: 1, for: .seconds(60), sender: nil).first)
      .lease
    try await bench.store.discard([JobDiscard(lease, reason: "refused")])
    let depths = try await bench.store.depths(atMost: 9)
    #expect(depths.map(\.topic) == [app.text, app.text, other.text])
    #expect(depths.map(\.pushType) == ["alert", "background", "alert"])
    #expect(depths.map(\.waiting) == [2, 1, 1] && depths.map(\.dead) == [1, 0, 0])
    #expect(try await bench.store.depths(atMost: 1).count == 1)
  }

  @Test("a limit has a count and a time that can be kept")
  func clamping() {
    #expect(RateLimit(0, within: .zero) == RateLimit(1, within: .seconds(1)))
    #expect(RateLimit(.max, within: .seconds(1_000_000)).time == .seconds(86_400))
  }
}
