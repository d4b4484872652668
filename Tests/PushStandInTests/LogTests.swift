import PushCore
import PushKeys
@testable import PushStandIn
import PushTesting
import TestSupport
import Testing

/// The log of pushes: what Apple sees, what the person sees, and why.
@Suite(.hangGuard) struct LogTests {
  private let payload = #"{"aps":{"alert":"Lunch?"}}"#

  @Test("a row has what Apple sees and what the person sees, and no provider token")
  func row() async throws {
    let stand = try Stand()
    let phone = try stand.phone("Ada's phone")
    try await stand.send(stand.request("Lunch at noon?", to: phone))
    _ = try await phone.shown
    let row = try #require(stand.apns.pushes.first)
    #expect(row.number == 1 && row.time == Stand.start && row.phone == "Ada's phone")
    #expect(row.token == phone.token.text)
    #expect(row.seen?.body == "Lunch at noon?" && row.seen?.isVisible == true)
    #expect(!String(decoding: row.payload, as: UTF8.self).contains("Lunch at noon?"))
    #expect(row.size == row.payload.count)
    #expect(row.headers.contains(.init(name: "apns-topic", value: "com.example.app")))
    #expect(!row.headers.map(\.name).contains("authorization"))
    #expect(row.why == "the extension opened it")
  }

  @Test("a row says why a push was not opened")
  func degraded() async throws {
    let stand = try Stand()
    let stranger = try Stand()
    let phone = try stand.phone()
    var request = try stranger.request("Lunch at noon?", to: phone)
    request["authorization"] = "bearer \(stand.signer.token(at: Stand.start))"
    try await stand.send(request)
    _ = try await phone.shown
    let row = try #require(stand.apns.pushes.first)
    #expect(row.seen?.body == "(Encrypted)" && row.seen?.degraded?.reason == .unknownSender)
    #expect(row.why.contains("unknown-sender"))
  }

  @Test("the log keeps so many pushes, and counts all")
  func capacity() async throws {
    let stand = try Stand { settings, _ in
      settings.loggedPushes = 3
      settings.acceptsUnknownTokens = true
    }
    let request = try stand.request(plain: payload, to: .random())
    for count in 1...7 {
      try await stand.send(request)
      #expect(stand.apns.pushes.map(\.number) == Array(max(1, count - 2)...count))
    }
    #expect(stand.apns.requestCount == 7)
  }

  @Test("what a row keeps of a request is bounded")
  func bounded() async throws {
    let stand = try Stand()
    var request = try stand.request(plain: payload, to: .random())
    request.path += String(repeating: "a", count: 100_000)
    request.body = [UInt8](repeating: 0x20, count: 100_000)
    for number in 0..<100 { request["apns-\(number)"] = String(repeating: "v", count: 10_000) }
    try await stand.send(request)
    let row = try #require(stand.apns.pushes.first)
    #expect(row.size == 100_000 && row.payload.count == 5120)
    #expect(row.headers.count == 20 && row.headers.allSatisfy { $0.value.utf8.count <= 256 })
    #expect(row.token.utf8.count == 512)
  }

  @Test("a reader gets each push as it comes, and again as it changes")
  func updates() async throws {
    let stand = try Stand()
    let phone = try stand.phone()
    var updates = stand.apns.updates().makeAsyncIterator()
    phone.switchOff()
    try await stand.send(stand.request(plain: payload, to: phone.token))
    phone.switchOn()
    var fates: [LoggedPush.Fate] = []
    while fates.last != .shown { fates.append(try #require(await updates.next()).fate) }
    #expect(fates.contains(.waiting(.phoneIsOff)))
  }

  @Test("two readers get the same pushes, and one that stops does not stop the other")
  func readers() async throws {
    let stand = try Stand { settings, _ in settings.acceptsUnknownTokens = true }
    let request = try stand.request(plain: payload, to: .random())
    var first = stand.apns.updates().makeAsyncIterator()
    let second = Task { [stand] in
      for await push in stand.apns.updates() { return push.number }
      return 0
    }
    try await stand.send(request)
    #expect(await first.next()?.number == 1)
    second.cancel()
    _ = await second.value
    try await stand.send(request)
    #expect(await first.next()?.number == 2)
  }

  @Test("who stops to listen does not wait for who tells")
  func listener() async throws {
    let log = PushLog(capacity: 9)
    let stand = try Stand()
    let request = try stand.request("Lunch?", to: stand.phone())
    let number = log.add(request, messageID: .random(), phone: nil, fate: .delivered, at: Stand.start)
    let (updates, (heard, tells)) = (log.updates(), AsyncStream<Void>.makeStream())
    let listener = Task { for await _ in updates { tells.yield() } }
    log.update(number) { _ in }
    for await _ in heard { break }
    // Now it waits for the next one.
    for _ in 0..<1000 { await Task.yield() }
    // While it tells of a push: the other order of two locks would wait for ever.
    log.update(number) { _ in listener.cancel() }
    await listener.value
    log.update(number) { _ in }
  }
}
