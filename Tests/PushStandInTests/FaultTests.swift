import PushDelivery
import PushKeys
import PushStandIn
import PushTesting
import TestSupport
import Testing

/// Faults by script.
@Suite(.hangGuard) struct FaultTests {
  private let stand: Stand
  private let phone: StandInPhone
  private let request: APNsRequest

  init() throws {
    stand = try Stand { settings, _ in settings.acceptsUnknownTokens = true }
    phone = try stand.phone()
    request = try stand.request(plain: #"{"aps":{"alert":"Lunch?"}}"#, to: phone.token)
  }

  /// What so many requests are answered.
  private func answers(_ count: Int) async throws -> [Refusal?] {
    var answers: [Refusal?] = []
    for _ in 0..<count { answers.append(try await stand.send(request)) }
    return answers
  }

  @Test("every reason of Apple's table can be answered", arguments: Refusal.all)
  func table(_ refusal: Refusal) async throws {
    stand.apns.inject(.refusal(refusal), to: .next(1))
    #expect(try await answers(2) == [refusal, nil])
  }

  @Test("every reason of Apple's table is one by which a client knows APNs", arguments: Refusal.all)
  func known(_ refusal: Refusal) { #expect(APNsReason(rawValue: refusal.reason).isKnown) }

  @Test("an answer 410 by script has the time since when, as APNs' has")
  func gone() async throws {
    stand.apns.inject(.refusal(.unregistered), to: .next(1))
    let answer = try #require(await stand.apns.handle(request, on: stand.connection).answer)
    let time = String(stand.apns.clock.now.seconds * 1000)
    #expect(String(decoding: answer.body, as: UTF8.self).contains(#""timestamp":\#(time)"#))
  }

  @Test("a fault happens to the next requests, or to each so many")
  func occasions() async throws {
    stand.apns.inject(.refusal(.shutdown), to: .next(2))
    #expect(try await answers(3) == [.shutdown, .shutdown, nil])
    stand.apns.inject(.refusal(.tooManyRequests), to: .each(3))
    #expect(try await answers(6) == [nil, nil, .tooManyRequests, nil, nil, .tooManyRequests])
    stand.apns.clearFaults()
    stand.apns.inject(.refusal(Refusal(status: 418, reason: "Teapot")), to: .all)
    #expect(
      try await answers(2) == [
        Refusal(status: 418, reason: "Teapot"), Refusal(status: 418, reason: "Teapot"),
      ])
    #expect(stand.apns.faults.lines.count == 1)
  }

  @Test("counts that are no counts add nothing", arguments: [0, -1, Int.min])
  func noCount(_ count: Int) {
    stand.apns.inject(.refusal(.shutdown), to: .next(count))
    stand.apns.inject(.refusal(.shutdown), to: .each(count))
    #expect(stand.apns.faults.lines.isEmpty)
  }

  @Test("a fault of one device leaves the others alone")
  func oneDevice() async throws {
    stand.apns.inject(.refusal(.tooManyRequests), to: .all, of: .random())
    #expect(try await answers(1) == [nil])
    stand.apns.inject(.refusal(.tooManyRequests), to: .all, of: phone.token)
    #expect(try await answers(1) == [.tooManyRequests])
  }

  @Test("a refused push is not taken, and says when to come again")
  func refused() async throws {
    stand.apns.inject(.refusal(.serviceUnavailable, retryAfter: 30), to: .next(1))
    let answer = try #require(await stand.apns.handle(request, on: stand.connection).answer)
    #expect(answer.status == 503 && answer.headers.contains(.init(name: "retry-after", value: "30")))
    #expect(stand.apns.accepted.count == 0 && phone.screen.isEmpty)
    #expect(stand.apns.pushes.map(\.fate) == [.refused(.serviceUnavailable)])
  }

  @Test("a late answer waits for the clock, and the push is taken before")
  func latency() async throws {
    stand.apns.inject(.latency(.seconds(5)), to: .next(1))
    // To a device that nobody has: a phone that opens the push would wait by the same clock.
    async let answer = stand.send(stand.request(plain: #"{"aps":{"alert":"Lunch?"}}"#, to: .random()))
    await stand.apns.clock.waitForSleepers()
    #expect(stand.apns.accepted.count == 1)
    stand.apns.advance(by: .seconds(5))
    #expect(try await answer == nil)
  }

  @Test(
    "of a request that was not processed, APNs knows nothing",
    arguments: [TransportFault.refuseStream, .reset(.beforeProcessing), .stall])
  func notProcessed(_ fault: TransportFault) async throws {
    stand.apns.inject(.transport(fault), to: .next(1))
    let handling = await stand.apns.handle(request, on: stand.connection)
    #expect(handling.answer == nil && handling.faults == [fault])
    #expect(stand.apns.accepted.count == 0)
    #expect(stand.apns.pushes.map(\.fate) == [.failed(fault)])
  }

  @Test(
    "of a request whose answer is lost, APNs has the push",
    arguments: [
      TransportFault.reset(.beforeAnswer), .reset(.duringAnswer), .cut, .goAwayGracefully, .goAwayAbruptly,
      .slowReading(.seconds(1)), .streamLimit(1),
    ])
  func processed(_ fault: TransportFault) async throws {
    stand.apns.inject(.transport(fault), to: .next(1))
    let handling = await stand.apns.handle(request, on: stand.connection)
    #expect(handling.answer?.status == 200 && handling.faults == [fault])
    #expect(stand.apns.accepted.count == 1)
  }

  @Test("a message that was accepted again is counted")
  func repeated() async throws {
    var request = request
    let id = MessageID.random()
    request["apns-id"] = id.text
    _ = try await [stand.send(request), stand.send(request)]
    #expect(stand.apns.accepted[id] == 2 && stand.apns.accepted.repeated == [id])
    #expect(stand.apns.accepted.count == 1)
  }
}
