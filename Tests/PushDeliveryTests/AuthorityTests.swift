import PushDelivery
import PushCore
import PushNetwork
import PushSealer
import PushTesting
import Synchronization
import TestSupport
import Testing

/// A provider token that APNs refuses: one more is tried, then the route stops, and nothing is lost.
///
/// Time stands still, so that no token changes for any other reason.
@Suite(.hangGuard) struct AuthorityTests {
  /// 1300 seconds into a slot of provider tokens.
  private static let now = UnixTime(clamping: 2400 * 1000 + 1300)

  /// When a request's provider token says that it was made.
  private static func issue(_ request: HTTP2ServerRequest) throws -> Int64 {
    let parts = try #require(request["authorization"]?.split(separator: "."))
    let text = try Base64URL.decode(String(parts[1]))
    let claims = try JSONObject(parsing: text.span)
    return try #require(claims["iat"]?.number?.integer)
  }

  /// What APNs says of a token by its own clock; nil if it takes it.
  private static func refusal(_ request: HTTP2ServerRequest, at now: UnixTime) -> HTTP2ServerAnswer? {
    guard let issue = try? issue(request) else { return LossTests.answer(403, "MissingProviderToken") }
    if issue > now.seconds + 300 { return LossTests.answer(403, "InvalidProviderToken") }
    return now.seconds - issue >= 3600 ? LossTests.answer(403, "ExpiredProviderToken") : nil
  }

  @Test("An expired provider token in the middle is renewed once for all")
  func expired() async throws {
    let clock = ManualClock(Self.now)
    let refused = Mutex<String?>(nil)
    let scene = try await LossTests.scene(clock) { number, request, record in
      let token = request["authorization"]
      if number == 100 { refused.withLock { $0 = token } }
      return refused.withLock({ $0 }) == token
        ? LossTests.answer(403, "ExpiredProviderToken") : record.accept(request)
    }
    let metrics = try await LossTests.deliverAll(scene, nil)
    #expect(scene.record.tokens.count == 2)
    #expect((metrics.refused[.expiredProviderToken] ?? 0) > 0)
    #expect(metrics.unknown == 0 && scene.record.duplicates == 0)
  }

  struct Wrong: CustomTestStringConvertible {
    let testDescription: String
    var offset: Int64 = 0
    var isWrongKey = false
    let reason: APNsReason
  }

  private static let wrong = [
    Wrong(testDescription: "a wrong key", isWrongKey: true, reason: .invalidProviderToken),
    Wrong(testDescription: "a clock an hour behind", offset: -3600, reason: .expiredProviderToken),
    Wrong(testDescription: "a clock an hour ahead", offset: 3600, reason: .invalidProviderToken),
  ]

  @Test("What APNs refuses for all pushes stops the route, and nothing is lost", arguments: wrong)
  func stopped(_ wrong: Wrong) async throws {
    let clock = ManualClock(Self.now.advanced(by: .seconds(wrong.offset)))
    let isMended = Mutex(false)
    let scene = try await LossTests.scene(clock) { _, request, record in
      if isMended.withLock(\.self) { return record.accept(request) }
      if wrong.isWrongKey { return LossTests.answer(403, "InvalidProviderToken") }
      guard let refusal = Self.refusal(request, at: clock.now.advanced(by: .seconds(-wrong.offset))) else {
        return record.accept(request)
      }
      return refusal
    }
    let pushes = try Scene.pushes(LossTests.count)
    let results = await scene.deliver(pushes)
    #expect(results.count == LossTests.count)
    for result in results {
      switch result.result {
      case .success(let response): #expect(response.reason == wrong.reason)
      case .failure(let error):
        #expect(error == DeliveryError(cause: .routeStopped(wrong.reason), mayBeDelivered: false))
      }
    }
    // Those that were on their way may each have had a new token.
    #expect(scene.record.accepted.isEmpty && scene.record.tokens.count <= 2 && scene.record.requests <= 2000)

    isMended.withLock { $0 = true }
    let routes = await scene.client.stoppedRoutes.keys
    #expect(routes.count == 1)
    if let route = routes.first { await scene.client.resume(route) }
    let again = await scene.deliver(results.map(\.job.push))
    let isAccepted = again.map { (try? $0.result.get().isAccepted) == true }
    #expect(!isAccepted.contains(false))
    #expect(scene.record.accepted.count == LossTests.count && scene.record.duplicates == 0)
    await scene.stop()
  }
}
