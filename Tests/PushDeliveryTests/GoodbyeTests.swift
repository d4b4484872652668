import PushDelivery
import PushNetwork
import PushTesting
import Synchronization
import TestSupport
import Testing

/// Servers that end their connections.
@Suite(.hangGuard) struct GoodbyeTests {
  @Test("A server that takes seven requests a connection, and says so before it answers, delays nothing")
  func beforeAnswering() async throws {
    // None comes behind the seventh.
    var limits = HTTP2Limits()
    limits.concurrentStreams = 7
    let goodbyes = Mutex<Set<ObjectIdentifier>>([])
    // Time stands still, so whoever waits before another connection waits for ever.
    let scene = try await Scene(clock: ManualClock(.now), limits: limits) { _, request, record in
      let connection = ObjectIdentifier(request.connection)
      if record.countOnConnection(request) == 7 {
        await request.connection.goAway()
        goodbyes.withLock { _ = $0.insert(connection) }
      }
      try? await HangGuard.wait(while: !goodbyes.withLock { $0.contains(connection) })
      return record.accept(request)
    }
    // Each connection has its seven, the last one too.
    let pushes = try Scene.pushes(504).map { AddressedPush($0, to: Scene.address()) }
    let sent = await scene.client.send(pushes)
    for result in sent where (try? result.result.get().isAccepted) != true {
      Issue.record("\(result.result)")
    }
    #expect(scene.record.accepted.count == 504 && scene.record.duplicates == 0)
    await scene.stop()
  }

  @Test("What APNs says as it ends a connection is reported")
  func reason() async throws {
    let reasons = Mutex<[APNsReason]>([])
    let scene = try await Scene(report: { event in
      if case .goodbye(let reason, _) = event { reasons.withLock { $0.append(reason) } }
    }) { _, request, record in
      let words = #"{"reason":"BadCertificateEnvironment","timestamp":1700000000000}"#
      await request.connection.goAway(saying: Array(words.utf8))
      return record.accept(request)
    }
    let push = AddressedPush(try Scene.pushes(1)[0], to: Scene.address())
    #expect(try await scene.client.send(push).isAccepted)
    try await HangGuard.wait(while: reasons.withLock(\.isEmpty))
    #expect(reasons.withLock(\.self) == [.badCertificateEnvironment])
    await scene.stop()
  }
}
