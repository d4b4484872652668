import PushDelivery
import PushHTTP2
import PushSealer
import Synchronization
import TestSupport
import Testing

/// Whatever the server does, each push ends once, accepted or with its reason, and what was certainly not processed is
/// never duplicated.
@Suite(.hangGuard) struct LossTests {
  private static let count = Volume.isWhole ? 20_000 : 300

  private static func answer(_ status: Int, _ reason: String, _ fields: [HTTPField] = []) -> HTTP2ServerAnswer
  {
    .response(HTTP2Response(status: status, fields: fields, body: Array("{\"reason\":\"\(reason)\"}".utf8)))
  }

  /// Sends all pushes, and expects each to be accepted.
  private static func deliverAll(_ scene: Scene) async throws -> DeliveryMetrics {
    let pushes = try Scene.pushes(count)
    let results = try await scene.deliver(pushes)
    #expect(results.count == count)
    #expect(Set(results.map(\.job.push.headers.messageID)) == Set(pushes.map(\.headers.messageID)))
    for result in results where (try? result.result.get().isAccepted) != true {
      Issue.record("\(result.result)")
    }
    #expect(scene.record.accepted == Set(pushes.map(\.headers.messageID.text)))
    let metrics = scene.client.metrics
    #expect(metrics.accepted == count)
    #expect(scene.record.duplicates <= metrics.unknown)
    await scene.stop()
    return metrics
  }

  struct Fault: CustomTestStringConvertible {
    let testDescription: String
    /// Whether APNs certainly did not process what it did not accept.
    let isCertain: Bool
    let script: Scene.Script
  }

  private static let faults = [
    Fault(testDescription: "none", isCertain: true) { _, request, record in record.accept(request) },
    Fault(testDescription: "429", isCertain: true) { number, request, record in
      number.isMultiple(of: 5) ? answer(429, "TooManyRequests") : record.accept(request)
    },
    Fault(testDescription: "503", isCertain: true) { number, request, record in
      number.isMultiple(of: 5) ? answer(503, "ServiceUnavailable") : record.accept(request)
    },
    Fault(testDescription: "503 with Retry-After", isCertain: true) { number, request, record in
      number.isMultiple(of: 100)
        ? answer(503, "Shutdown", [HTTPField("retry-after", "0")]) : record.accept(request)
    },
    Fault(testDescription: "500 without a body", isCertain: true) { number, request, record in
      number.isMultiple(of: 5) ? .response(HTTP2Response(status: 500)) : record.accept(request)
    },
    Fault(testDescription: "IdleTimeout", isCertain: true) { number, request, record in
      number.isMultiple(of: 50) ? answer(400, "IdleTimeout") : record.accept(request)
    },
    Fault(testDescription: "REFUSED_STREAM", isCertain: true) { number, request, record in
      number.isMultiple(of: 3) ? .reset(code: HTTP2Code.refusedStream) : record.accept(request)
    },
    Fault(testDescription: "a reset before the answer", isCertain: false) { number, request, record in
      number.isMultiple(of: 3) ? .reset(code: HTTP2Code.internalError) : record.accept(request)
    },
    Fault(testDescription: "a reset in place of the answer", isCertain: false) { number, request, record in
      let answer = record.accept(request)
      return number.isMultiple(of: 3) ? .reset(code: HTTP2Code.internalError) : answer
    },
    Fault(testDescription: "a reset during the answer", isCertain: false) { number, request, record in
      let answer = record.accept(request)
      guard number.isMultiple(of: 3) else { return answer }
      return .brokenOff(HTTP2Response(status: 200), code: HTTP2Code.refusedStream)
    },
    Fault(testDescription: "a reset after the answer", isCertain: true) { number, request, record in
      if number.isMultiple(of: 3) {
        let (connection, stream) = (request.connection, request.stream)
        Task { await connection.reset(stream, code: HTTP2Code.internalError) }
      }
      return record.accept(request)
    },
    Fault(testDescription: "GOAWAY every 50", isCertain: true) { number, request, record in
      if number.isMultiple(of: 50) { await request.connection.goAway() }
      return record.accept(request)
    },
    Fault(testDescription: "GOAWAY every 1000 and twice in a row", isCertain: true) {
      number, request, record in
      if number % 1000 == 100 {
        await request.connection.announceGoAway()
        await request.connection.goAway()
      }
      return record.accept(request)
    },
    Fault(testDescription: "GOAWAY, and the end", isCertain: false) { number, request, record in
      if number.isMultiple(of: 50) { await request.connection.goAway(closing: true) }
      return record.accept(request)
    },
    Fault(testDescription: "TCP cut", isCertain: false) { number, request, record in
      let answer = record.accept(request)
      if number.isMultiple(of: 70) { await request.connection.close(abruptly: true) }
      return answer
    },
    Fault(testDescription: "a stream limit that goes 1, 1000, 1", isCertain: true) {
      number, request, record in
      if number.isMultiple(of: 40) {
        await request.connection.set(concurrentStreams: number.isMultiple(of: 80) ? 1 : 1000)
      }
      return record.accept(request)
    },
    Fault(testDescription: "answers that are no JSON", isCertain: true) { number, request, record in
      guard number.isMultiple(of: 7) else { return record.accept(request) }
      return .response(HTTP2Response(status: 503, body: Array("<html>".utf8)))
    },
  ]

  @Test("A fault loses nothing, and duplicates at most what was in flight", arguments: faults)
  func fault(_ fault: Fault) async throws {
    let scene = try await Scene(script: fault.script)
    let metrics = try await Self.deliverAll(scene)
    if fault.isCertain {
      #expect(metrics.unknown == 0)
      #expect(scene.record.duplicates == 0)
    }
  }

  @Test("Requests that are never answered end at their time, and are sent again")
  func silence() async throws {
    let scene = try await Scene { configuration in
      configuration.retries.attemptTime = .milliseconds(200)
    } script: { number, request, record in
      number.isMultiple(of: 50) ? .silence : record.accept(request)
    }
    #expect(try await Self.deliverAll(scene).unknown > 0)
  }

  @Test("A connection that is half open is found dead, and its pushes sent again")
  func halfOpen() async throws {
    let scene = try await Scene { configuration in
      configuration.connection.pingAfter.busy = .milliseconds(50)
      configuration.connection.pingTimeout = .milliseconds(50)
    } script: { number, request, record in
      let answer = record.accept(request)
      if number == 100 { await request.connection.stall() }
      return answer
    }
    #expect(try await Self.deliverAll(scene).connections > 1)
  }

  @Test("A server that is gone and comes back gets everything")
  func serverGone() async throws {
    let isAsked = Mutex(false)
    let scene = try await Scene { number, request, record in
      guard number >= 100 else { return record.accept(request) }
      isAsked.withLock { $0 = true }
      return .silence
    }
    let restart = Task {
      try await HangGuard.wait(for: "the hundredth push") { isAsked.withLock(\.self) }
      await scene.server.stop()
      try await HangGuard.wait(for: "a connection that fails") { scene.client.metrics.failedConnections > 0 }
      return try await HTTP2Server.start(TLSContext(identity: Scene.identity), port: scene.server.port) {
        [record = scene.record] in record.accept($0)
      }
    }
    let metrics = try await Self.deliverAll(scene)
    #expect(metrics.unknown > 0)
    await (try restart.value).stop()
  }

  @Test("An expired provider token in the middle is renewed once for all")
  func expiredToken() async throws {
    let clock = StillClock(UnixTime(clamping: 2400 * 1000 + 1300))
    let refused = Mutex<String?>(nil)
    let scene = try await Scene(clock: clock) { number, request, record in
      let token = request["authorization"]
      if number == 100 { refused.withLock { $0 = token } }
      return refused.withLock({ $0 }) == token
        ? Self.answer(403, "ExpiredProviderToken") : record.accept(request)
    }
    let metrics = try await Self.deliverAll(scene)
    #expect(scene.record.tokens.count == 2)
    #expect((metrics.refused[.expiredProviderToken] ?? 0) > 0)
  }
}

/// The system's time, whose date stands still.
struct StillClock: DeliveryClock {
  private let system = SystemDeliveryClock()
  let now: UnixTime

  init(_ now: UnixTime) { self.now = now }

  var uptime: Duration { system.uptime }

  func sleep(until end: Duration) async throws { try await system.sleep(until: end) }
}
