import PushCore
import PushKeys
import PushSealer
import PushStandIn
import PushTesting
import TestSupport
import Testing

/// What APNs and the phone do with an accepted push.
@Suite(.hangGuard) struct DeliveryTests {
  private let stand: Stand
  private let phone: StandInPhone

  init() throws {
    stand = try Stand()
    phone = try stand.phone()
  }

  /// Sends a text that is not sealed, which can wait for longer than a sealed one lives.
  private func send(_ text: String, _ headers: [String: String] = [:]) async throws {
    let payload = #"{"aps":{"alert":"\#(text)"}}"#
    #expect(try await stand.send(stand.request(plain: payload, to: phone.token, headers)) == nil)
  }

  private func sendInBackground() async throws {
    let payload = #"{"aps":{"content-available":1}}"#
    let headers = ["apns-push-type": "background", "apns-priority": "5"]
    let request = try stand.request(plain: payload, to: phone.token, headers)
    #expect(try await stand.send(request) == nil)
  }

  private var fates: [LoggedPush.Fate] { stand.apns.pushes.map(\.fate) }

  /// Waits for what the phone shows, and returns the texts.
  private func shown(_ count: Int) async throws -> Set<String> {
    var texts: Set<String> = []
    for _ in 0..<count { texts.insert(try await phone.shown.body) }
    return texts
  }

  private func in30Days(less seconds: Int64) -> Duration { .seconds(30 * 86_400 - seconds) }

  @Test("what a backend seals, the person sees")
  func sealed() async throws {
    #expect(try await stand.send(stand.request("Lunch at noon?", to: phone)) == nil)
    let shown = try await phone.shown
    #expect(shown.body == "Lunch at noon?" && shown.title == "Ada" && shown.degraded == nil)
  }

  @Test("a phone that was not unlocked since its start shows the placeholder, with the reason")
  func locked() async throws {
    phone.restart()
    try await stand.send(stand.request("Lunch at noon?", to: phone))
    let shown = try await phone.shown
    #expect(shown.body == "(Encrypted)" && shown.degraded?.reason == .keyLocked)
    phone.unlock()
    try await stand.send(stand.request("Lunch at noon?", to: phone))
    #expect(try await phone.shown.body == "Lunch at noon?")
  }

  @Test("of what comes while the phone is off, the last is kept")
  func off() async throws {
    phone.switchOff()
    try await send("one")
    try await send("two")
    #expect(fates == [.discarded(.replacedWhileOff), .waiting(.phoneIsOff)])
    phone.switchOn()
    #expect(try await shown(1) == ["two"])
  }

  @Test("of what already waited when the phone went off, the last is kept")
  func wentOff() async throws {
    phone.power = .low
    try await send("one", ["apns-priority": "5"])
    try await send("two", ["apns-priority": "5"])
    #expect(fates == [.waiting(.power), .waiting(.power)])
    phone.switchOff()
    #expect(fates == [.discarded(.replacedWhileOff), .waiting(.power)])
  }

  @Test("expiration 0 is now or never")
  func nowOrNever() async throws {
    try await send("now", ["apns-expiration": "0"])
    #expect(try await shown(1) == ["now"])
    phone.switchOff()
    try await send("never", ["apns-expiration": "0"])
    #expect(fates.last == .discarded(.nowOrNever))
  }

  @Test("a push is kept until its expiration")
  func expiration() async throws {
    phone.switchOff()
    try await send("kept", ["apns-expiration": String(Stand.start.seconds + 60)])
    stand.apns.advance(by: .seconds(59))
    #expect(fates == [.waiting(.phoneIsOff)])
    stand.apns.advance(by: .seconds(1))
    #expect(fates == [.discarded(.expired)])
  }

  @Test("a push whose expiration is over is discarded at once")
  func expired() async throws {
    try await send("late", ["apns-expiration": String(Stand.start.seconds)])
    #expect(fates == [.discarded(.expired)])
  }

  @Test("a push is kept for 30 days at most", arguments: [nil, String(Stand.start.seconds + 99 * 86_400)])
  func thirtyDays(_ expiration: String?) async throws {
    phone.switchOff()
    try await send("kept", expiration.map { ["apns-expiration": $0] } ?? [:])
    stand.apns.advance(by: in30Days(less: 1))
    #expect(fates == [.waiting(.phoneIsOff)])
    stand.apns.advance(by: .seconds(1))
    #expect(fates == [.discarded(.expired)])
  }

  @Test("a later push replaces the one with its collapse ID on the screen")
  func screen() async throws {
    for text in ["one", "two"] {
      try await send(text, ["apns-collapse-id": "score"])
      #expect(try await shown(1) == [text])
    }
    try await send("other")
    _ = try await phone.shown
    #expect(phone.screen.map(\.body) == ["two", "other"])
  }

  @Test("of pushes that wait, the last of each collapse ID is kept")
  func collapsed() async throws {
    phone.power = .low
    for (text, id) in [("one", "a"), ("two", "b"), ("three", "a")] {
      try await send(text, ["apns-priority": "5", "apns-collapse-id": id])
    }
    #expect(fates.first == .discarded(.collapsed))
    phone.power = .battery
    #expect(try await shown(2) == ["two", "three"])
  }

  @Test("priority 5 waits while the phone saves power, priority 1 until it charges, 10 never")
  func priorities() async throws {
    phone.power = .low
    for priority in ["10", "5", "1"] { try await send(priority, ["apns-priority": priority]) }
    #expect(try await shown(1) == ["10"])
    phone.power = .battery
    #expect(try await shown(1) == ["5"])
    #expect(fates.last == .waiting(.power))
    phone.power = .plugged
    #expect(try await shown(1) == ["1"])
  }

  @Test("three background pushes wake the app in an hour, and the newest of the others waits")
  func background() async throws {
    for _ in 0..<5 { try await sendInBackground() }
    let woken = [LoggedPush.Fate](repeating: .handedToApp, count: 3)
    #expect(fates == woken + [.discarded(.newerBackgroundPush), .waiting(.throttled)])
    #expect(stand.apns.pushes.map(\.deliveries) == [1, 1, 1, 0, 0])
    stand.apns.advance(by: .seconds(3599))
    #expect(fates.last == .waiting(.throttled))
    stand.apns.advance(by: .seconds(1))
    #expect(fates.last == .handedToApp)
  }

  @Test("at most 100 pushes wait for an app, and then the oldest goes")
  func limit() async throws {
    phone.power = .low
    for number in 0...100 { try await send("\(number)", ["apns-priority": "5"]) }
    #expect(fates[0] == .discarded(.tooMany) && fates[1] == .waiting(.power))
  }

  @Test("a push that comes twice is shown twice, the second time quietly")
  func twice() async throws {
    phone.repeatNext(1)
    try await stand.send(stand.request("Lunch at noon?", to: phone))
    let both = [try await phone.shown, try await phone.shown]
    #expect(both.allSatisfy { $0.body == "Lunch at noon?" })
    #expect(stand.apns.pushes.map(\.deliveries) == [2])
    #expect(phone.screen.count == 1)
    #expect(stand.apns.accepted.repeated.isEmpty)
  }

  @Test("a push to a deleted app is refused, with the time since when")
  func deleted() async throws {
    let request = try stand.request(plain: #"{"aps":{"alert":"a"}}"#, to: phone.token)
    stand.apns.advance(by: .seconds(5))
    phone.deleteApp()
    stand.apns.advance(by: .seconds(5))
    let answer = try #require(await stand.apns.handle(request, on: stand.connection).answer)
    #expect(answer.status == 410)
    #expect(answer.body == Array(#"{"reason":"Unregistered","timestamp":1800000005000}"#.utf8))
    #expect(stand.apns.phones.isEmpty)
  }

  @Test("after a token was rotated, only the new one is good, and what waited is gone")
  func rotated() async throws {
    phone.switchOff()
    try await send("one")
    let old = phone.token
    let new = phone.rotateToken()
    #expect(fates == [.discarded(.noLongerRegistered)])
    let payload = #"{"aps":{"alert":"two"}}"#
    #expect(try await stand.send(stand.request(plain: payload, to: old)) == .expiredToken)
    #expect(new == phone.token && phone.address.token == new)
    phone.switchOn()
    #expect(try await stand.send(stand.request(plain: payload, to: new)) == nil)
    #expect(try await shown(1) == ["two"])
  }

  @Test("an extension that hangs is told when its time is up, and the original is shown")
  func hanging() async throws {
    let address = DeviceAddress(topic: stand.topic, environment: .sandbox, token: .random())
    let hanging = stand.apns.phone(address: address) { _, _ in SilentService() }
    let payload = #"{"aps":{"alert":"the original","mutable-content":1}}"#
    try await stand.send(stand.request(plain: payload, to: address.token))
    stand.apns.advance(by: ExtensionHost.timeLimit)
    let shown = try await hanging.shown
    #expect(shown.body == "the original" && shown.source == .original(.outOfTime))
  }

  @Test("an extension works on a thousand pushes at once, others are discarded, and what ends makes room")
  func tooMany() async throws {
    let stand = try Stand { settings, _ in settings.loggedPushes = 2000 }
    let address = DeviceAddress(topic: stand.topic, environment: .sandbox, token: .random())
    let answers = HeldService.Answers()
    let busy = stand.apns.phone(address: address) { _, _ in HeldService(answers) }
    let payload = #"{"aps":{"alert":"Lunch?","mutable-content":1}}"#
    let request = try stand.request(plain: payload, to: address.token)
    for _ in 0..<1005 { #expect(try await stand.send(request) == nil) }
    let fates = stand.apns.pushes.map(\.fate)
    #expect(fates.prefix(1000).allSatisfy { $0 == .delivered })
    #expect(fates.dropFirst(1000).allSatisfy { $0 == .discarded(.tooMany) })
    answers.giveAll()
    for _ in 0..<1000 { _ = try await busy.shown }
    try await HangGuard.wait(for: "room for another push") {
      try await stand.send(request)
      return stand.apns.pushes.last?.fate == .delivered
    }
    answers.giveAll()
  }

  @Test("who waits for a phone to show something can give up")
  func cancelled() async throws {
    let waiting = Task { try await phone.shown }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    try await send("later")
    #expect(try await shown(1) == ["later"])
  }
}
