import PushCore
import PushDelivery
import PushTesting
import Testing

@Suite("Why routes deliver nothing, for a log")
struct RouteTroublesTests {
  private let clock = ManualClock(.now)
  private let troubles: RouteTroubles
  private let route = APNsRoute(teamID: "FGHIJ67890", environment: .sandbox, topic: "com.example.app")

  init() { troubles = RouteTroubles(clock: clock) }

  private func fail(_ reason: String = "connect: Connection refused", on topic: String? = nil) -> String? {
    let route = topic.map { APNsRoute(teamID: "FGHIJ67890", environment: .sandbox, topic: $0) } ?? route
    return troubles.news(in: .connectionFailed(reason: reason, on: route))?.reason
  }

  @Test("a connection that fails is told at once, and again after a minute")
  func minute() {
    #expect(fail() == "connect: Connection refused")
    #expect(fail() == nil)
    clock.advance(by: .milliseconds(59_999))
    #expect(fail() == nil)
    clock.advance(by: .milliseconds(1))
    #expect(fail() != nil && fail() == nil)
  }

  @Test("another reason, and another route, are told at once")
  func others() {
    #expect(fail() != nil && fail("no connection in time") != nil && fail(on: "com.example.other") != nil)
    #expect(fail() == nil && fail("no connection in time") == nil && fail(on: "com.example.other") == nil)
  }

  @Test("after a connection was made, the next one that fails is told at once")
  func connected() {
    #expect(fail() != nil && fail(on: "com.example.other") != nil)
    #expect(troubles.news(in: .connected(route)) == nil)
    #expect(fail() != nil && fail(on: "com.example.other") == nil)
  }

  @Test("not all of many routes are remembered")
  func bounded() {
    for number in 0..<256 { #expect(fail(on: "com.example.app\(number)") != nil) }
    #expect(fail(on: "com.example.app0") == nil)
    #expect(fail(on: "com.example.more") != nil)
    #expect(fail(on: "com.example.app0") != nil)
  }

  @Test("a connection that APNs ends is told with its reason, unless it was idle or its server stops")
  func goodbye() throws {
    let told = try #require(troubles.news(in: .goodbye(.badCertificate, on: route)))
    #expect(told.event == "connection-ended" && told.reason == "BadCertificate" && told.route == route)
    _ = troubles.news(in: .connected(route))
    #expect(troubles.news(in: .goodbye(.badCertificate, on: route)) == nil)
    for reason in [APNsReason.idleTimeout, .shutdown] {
      #expect(troubles.news(in: .goodbye(reason, on: route)) == nil)
    }
  }

  @Test("an answer is told if APNs refuses the key, and once")
  func answers() throws {
    let event = { (status: Int, reason: APNsReason?) in
      DeliveryEvent.answered(
        APNsResponse(status: status, reason: reason), to: .random(), on: route, after: .zero)
    }
    for (status, reason) in [(200, nil), (400, APNsReason.badDeviceToken), (429, nil)] {
      #expect(troubles.news(in: event(status, reason)) == nil)
    }
    let refused = event(403, .invalidProviderToken)
    let told = try #require(troubles.news(in: refused))
    #expect(told.event == "key-refused" && told.reason == "InvalidProviderToken" && told.route == route)
    _ = troubles.news(in: .connected(route))
    #expect(troubles.news(in: refused) == nil)
    #expect(troubles.news(in: event(403, nil))?.reason == "status 403")
  }
}
