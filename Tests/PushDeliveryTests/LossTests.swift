import PushDelivery
import PushCore
import PushNetwork
import PushSealer
import PushTesting
import Synchronization
import TestSupport
import Testing

/// Whatever the server does, each push ends once, accepted or with its reason, and what was certainly not processed is
/// never duplicated.
@Suite(.hangGuard) struct LossTests {
  static let count = Volume.isWhole ? 20_000 : 300

  static func answer(_ status: Int, _ reason: String, _ fields: [HTTPField] = []) -> HTTP2ServerAnswer {
    .response(HTTP2Response(status: status, fields: fields, body: Array("{\"reason\":\"\(reason)\"}".utf8)))
  }

  /// A scene in which time moves only when nothing else does.
  static func scene(
    _ clock: ManualClock, identity: TLSIdentity = Scene.identity, offersHTTP2: Bool = true,
    configuration change: (inout APNsConfiguration) -> Void = { _ in }, script: @escaping Scene.Script
  ) async throws -> Scene {
    try await Scene(
      clock: clock, identity: identity, offersHTTP2: offersHTTP2,
      configuration: {
        Scene.patiently(&$0)
        change(&$0)
      }, script: script)
  }

  /// Sends all pushes, and expects each to be accepted.
  @discardableResult static func deliverAll(
    _ scene: Scene, _ clock: ManualClock?,
    then ended: @Sendable (Delivered<AddressedPush>) async -> Void = { _ in }
  ) async throws -> DeliveryMetrics {
    let pushes = try Scene.pushes(count)
    let results = await scene.deliver(pushes, moving: clock, then: ended)
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
    if Volume.isWhole {
      print(
        "\(Test.current?.name ?? "")\(scene.name): \(count) accepted, \(metrics.retried) sent again,",
        "\(metrics.notProcessed) not processed, \(metrics.unknown) unknown,",
        "\(scene.record.duplicates) duplicates, \(metrics.connections) connections")
    }
    return metrics
  }

  @Test("A fault loses nothing, and duplicates at most what was in flight", arguments: Fault.all)
  func fault(_ fault: Fault) async throws {
    let clock = ManualClock(.now)
    var scene = try await Self.scene(clock) { number, request, record in
      await fault.script(number, request, record, clock)
    }
    scene.name = " (\(fault.testDescription))"
    let metrics = try await Self.deliverAll(scene, clock)
    if fault.isCertain {
      #expect(metrics.unknown == 0)
      #expect(scene.record.duplicates == 0)
    }
  }

  @Test("A reset after the answer changes nothing")
  func resetAfterTheAnswer() async throws {
    let clock = ManualClock(.now)
    let scene = try await Self.scene(clock) { number, request, record in
      // More would look like an attack, in a second that does not end.
      if number.isMultiple(of: 30) { record.keep(request) }
      return record.accept(request)
    }
    let metrics = try await Self.deliverAll(scene, clock) { [record = scene.record] result in
      // The answer was received.
      guard let request = record.request(of: result.job.push.headers.messageID.text) else { return }
      await request.connection.reset(request.stream, code: HTTP2Code.internalError)
    }
    #expect(metrics.unknown == 0 && metrics.notProcessed == 0 && scene.record.duplicates == 0)
  }

  @Test("Requests that are never answered end at their time, and are sent again")
  func silence() async throws {
    let clock = ManualClock(.now)
    let scene = try await Self.scene(clock) { configuration in
      configuration.retries.attemptTime = .seconds(30)
    } script: { number, request, record in
      number.isMultiple(of: 50) ? .silence : record.accept(request)
    }
    #expect(try await Self.deliverAll(scene, clock).unknown > 0)
  }

  @Test("A connection that lives and answers nothing is given up, and its pushes go to another")
  func silentConnection() async throws {
    let clock = ManualClock(.now)
    let scene = try await Self.scene(clock) { configuration in
      configuration.retries.attemptTime = .seconds(30)
    } script: { _, request, record in
      record.isOnFirstConnection(request) ? .silence : record.accept(request)
    }
    _ = try await Self.deliverAll(scene, clock)
  }

  @Test("A connection that is half open is found dead, and its pushes sent again")
  func halfOpen() async throws {
    let clock = ManualClock(.now)
    let scene = try await Self.scene(clock) { configuration in
      configuration.connection.pingAfter.busy = .seconds(10)
      configuration.connection.pingTimeout = .seconds(10)
    } script: { number, request, record in
      let answer = record.accept(request)
      if number == 100 { await request.connection.stall() }
      return answer
    }
    #expect(try await Self.deliverAll(scene, clock).connections > 1)
  }

  @Test("A server that is gone for a minute gets everything")
  func serverGone() async throws {
    let clock = ManualClock(.now)
    let isAsked = Mutex(false)
    let scene = try await Self.scene(clock) { number, request, record in
      guard number >= 100 else { return record.accept(request) }
      isAsked.withLock { $0 = true }
      return .silence
    }
    let restart = Task {
      try await HangGuard.wait(for: "the hundredth push") { isAsked.withLock(\.self) }
      await scene.server.stop()
      let back = clock.uptime + .seconds(60)
      try await HangGuard.wait(for: "a minute") {
        clock.uptime >= back && scene.client.metrics.failedConnections > 0
      }
      return try await HTTP2Server.start(
        context: TLSContext(identity: Scene.identity), port: scene.server.port
      ) {
        [record = scene.record] in record.accept($0)
      }
    }
    let metrics = try await Self.deliverAll(scene, clock)
    #expect(metrics.unknown > 0)
    await (try restart.value).stop()
  }

  @Test(
    "A server whose certificate is mended gets everything, and nothing before", arguments: UntrustedServer.all
  )
  func mended(_ server: UntrustedServer) async throws {
    let clock = ManualClock(.now)
    let scene = try await Self.scene(
      clock, identity: server.identity, offersHTTP2: server.offersHTTP2
    ) { _, request, record in
      record.accept(request)
    }
    let mending = Task {
      try await HangGuard.wait(for: "attempts") { scene.client.metrics.failedConnections >= 3 }
      #expect(scene.record.requests == 0)
      await scene.server.set(context: TLSContext(identity: Scene.identity))
    }
    let metrics = try await Self.deliverAll(scene, clock)
    try await mending.value
    #expect(metrics.unknown == 0 && scene.record.duplicates == 0)
  }
}

/// What a server does wrong.
struct Fault: CustomTestStringConvertible {
  typealias Script =
    @Sendable (_ number: Int, HTTP2ServerRequest, Record, ManualClock) async -> HTTP2ServerAnswer

  let testDescription: String
  /// Whether APNs certainly did not process what it did not accept.
  let isCertain: Bool
  let script: Script

  private init(_ description: String, isCertain: Bool = true, _ script: @escaping Script) {
    (testDescription, self.isCertain, self.script) = (description, isCertain, script)
  }

  /// Refuses one of several requests.
  private init(_ description: String, oneIn share: Int, _ answer: HTTP2ServerAnswer) {
    self.init(description) { number, request, record, _ in
      number.isMultiple(of: share) ? answer : record.accept(request)
    }
  }

  static let all = answers + resets + goodbyes + networks

  private static let answers = [
    Fault("none") { _, request, record, _ in record.accept(request) },
    Fault("429", oneIn: 5, LossTests.answer(429, "TooManyRequests")),
    Fault("503", oneIn: 5, LossTests.answer(503, "ServiceUnavailable")),
    Fault(
      "503 with Retry-After", oneIn: 5,
      LossTests.answer(503, "Shutdown", [HTTPField(name: "retry-after", value: "30")])),
    Fault("500 without a body", oneIn: 5, .response(HTTP2Response(status: 500))),
    Fault("IdleTimeout", oneIn: 50, LossTests.answer(400, "IdleTimeout")),
    Fault(
      "answers that are no JSON", oneIn: 7, .response(HTTP2Response(status: 503, body: Array("<html>".utf8)))),
  ]

  private static let resets = [
    Fault("REFUSED_STREAM", oneIn: 3, .reset(code: HTTP2Code.refusedStream)),
    Fault("a reset before the answer", isCertain: false) { number, request, record, _ in
      number.isMultiple(of: 3) ? .reset(code: HTTP2Code.internalError) : record.accept(request)
    },
    Fault("a reset in place of the answer", isCertain: false) { number, request, record, _ in
      let answer = record.accept(request)
      return number.isMultiple(of: 3) ? .reset(code: HTTP2Code.internalError) : answer
    },
    Fault("a reset during the answer", isCertain: false) { number, request, record, _ in
      let answer = record.accept(request)
      guard number.isMultiple(of: 3) else { return answer }
      return .brokenOff(HTTP2Response(status: 503), code: HTTP2Code.refusedStream)
    },
    Fault("a reset during an acceptance") { number, request, record, _ in
      guard number.isMultiple(of: 3), case .response(let answer) = record.accept(request) else {
        return record.accept(request)
      }
      return .brokenOff(answer, code: HTTP2Code.internalError)
    },
  ]

  private static let goodbyes = [
    Fault("GOAWAY every 50") { _, request, record, _ in
      if record.countOnConnection(request) == 50 { await request.connection.goAway() }
      return record.accept(request)
    },
    Fault("GOAWAY every 1000") { _, request, record, _ in
      if record.countOnConnection(request) == 1000 { await request.connection.goAway() }
      return record.accept(request)
    },
    Fault("GOAWAY twice in a row") { _, request, record, _ in
      switch record.countOnConnection(request) {
      case 90: await request.connection.announceGoAway()
      case 100: await request.connection.goAway()
      default: break
      }
      return record.accept(request)
    },
    Fault("GOAWAY, and the end", isCertain: false) { _, request, record, _ in
      if record.countOnConnection(request) == 50 { await request.connection.goAway(closing: true) }
      return record.accept(request)
    },
  ]

  private static let networks = [
    Fault("TCP cut", isCertain: false) { number, request, record, _ in
      let answer = record.accept(request)
      if number.isMultiple(of: 70) { await request.connection.close(abruptly: true) }
      return answer
    },
    Fault("a stream limit that goes 1, 1000, 1") { number, request, record, _ in
      if number.isMultiple(of: 40) {
        await request.connection.set(concurrentStreams: number.isMultiple(of: 80) ? 1 : 1000)
      }
      return record.accept(request)
    },
    Fault("stalls") { number, request, record, clock in
      if number % 1000 == 100 { await pause(request, for: .seconds(20), clock) }
      return record.accept(request)
    },
    Fault("a slow reader") { number, request, record, clock in
      if number.isMultiple(of: 50) { await pause(request, for: .milliseconds(100), clock) }
      return record.accept(request)
    },
  ]

  /// Reads nothing of a connection for a time.
  private static func pause(_ request: HTTP2ServerRequest, for time: Duration, _ clock: ManualClock) async {
    let connection = request.connection
    await connection.set(reading: false)
    let end = clock.uptime + time
    Task.detached {
      try? await clock.sleep(until: end)
      await connection.set(reading: true)
    }
  }
}
