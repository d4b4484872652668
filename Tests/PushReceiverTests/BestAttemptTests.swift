import Dispatch
import PushCore
import PushKeys
import PushReceiver
import PushTesting
import TestSupport
import Testing

@Suite(.hangGuard)
struct BestAttemptTests {
  private let parties = Parties()

  @Test("the outer title stays, or the app's own takes its place")
  func titles() {
    let push = IncomingPush.outer(title: "From outside", envelope: nil)
    #expect(parties.receiver().reception(of: push).content.title == "From outside")
    let fixed = parties.receiver(bestAttempt: .fixed(title: "Messenger")).reception(of: push).content
    #expect(fixed.title == "Messenger")
    #expect(fixed.body == "(Encrypted)")
    #expect(fixed.subtitle == "")
  }

  @Test("without an outer title the body alone is shown")
  func emptyTitle() {
    let content = parties.receiver().reception(of: .outer(title: "", envelope: nil)).content
    #expect(content.title == "")
    #expect(content.body == "(Encrypted)")
  }

  @Test("when time runs out, the subtitle says so")
  func deadline() async throws {
    let content = await parties.receiver().receive(try parties.push(), deadline: .zero).content
    #expect([content.title, content.subtitle, content.body] == ["Outer", "(Encrypted)", ""])
    let fixed = await parties.receiver(bestAttempt: .fixed(title: "Messenger"))
      .receive(.outer(title: "", envelope: nil), deadline: .zero).content
    #expect([fixed.title, fixed.subtitle, fixed.body] == ["Messenger", "(Encrypted)", ""])
  }

  @Test(
    "when time runs out and there is no title, the body says so",
    arguments: [.outerTitle, .fixed(title: "")] as [BestAttempt])
  func deadlineWithoutTitle(bestAttempt: BestAttempt) async {
    let content = await parties.receiver(bestAttempt: bestAttempt)
      .receive(.outer(title: "", envelope: nil), deadline: .zero).content
    #expect([content.title, content.subtitle, content.body] == ["", "", "(Encrypted)"])
  }

  @Test(
    "the sound is the default one, if there is any outside",
    arguments: ["outer.caf", "default", ["critical": 1, "name": "alarm.caf", "volume": 1.0]] as [JSONValue])
  func sound(sound: JSONValue) {
    let push = IncomingPush.outer(envelope: nil, sound: sound)
    #expect(parties.receiver().reception(of: push).content.sound == .default)
  }

  @Test("without a sound outside there is none")
  func silence() {
    #expect(parties.receiver().reception(of: .outer(envelope: nil, sound: nil)).content.sound == nil)
  }

  @Test("the text is the app's own, if its localized strings have one")
  func localized() async throws {
    let push = IncomingPush.outer(title: "Outer", envelope: nil)
    for (key, text) in [("HIDDEN", "Neu (100%)"), ("EMPTY", "(Encrypted)"), ("MISSING", "(Encrypted)")] {
      var receiver = parties.receiver(bestAttempt: .outerTitle.text(forKey: key))
      receiver.strings = try StringTable(
        strings: Array(#""HIDDEN" = "Neu (100%%)"; "EMPTY" = "";"#.utf8).span)
      let content = await receiver.receive(push).content
      #expect([content.title, content.subtitle, content.body] == ["Outer", "", text])
    }
  }

  @Test("the app's own text takes the place of the subtitle when time runs out")
  func localizedDeadline() async throws {
    let clock = ManualClock(Parties.now)
    let (stalled, asked) = (StalledKeyStore(parties.device), Signal())
    var receiver = Receiver(
      topic: Parties.topic, keys: AskedKeys(keys: stalled, asked: asked),
      senders: try parties.backend.publicKeys,
      bestAttempt: .outerTitle.text(forKey: "HIDDEN"), clock: clock)
    receiver.strings = try StringTable(strings: Array(#""HIDDEN" = "Neu";"#.utf8).span)
    let push = try parties.push()
    async let reception = receiver.receive(push)
    await asked.wait()
    await clock.waitForSleepers()
    clock.advance(by: Receiver.softDeadline)
    let content = await reception.content
    #expect([content.title, content.subtitle, content.body] == ["Outer", "Neu", ""])
    stalled.release()
  }

  @Test("strings that take their time do not delay the system's last word")
  func slowStrings() async throws {
    let strings = StalledStrings()
    var receiver = parties.receiver(bestAttempt: .outerTitle.text(forKey: "HIDDEN"))
    receiver.strings = strings
    let shown = Signal()
    let reception = receiver.receive(try parties.push()) { result in
      #expect(result.content.subtitle == "(Encrypted)")
      shown.fire()
    }
    await strings.asked.wait()
    reception.handOver()
    await shown.wait()
    strings.release.fire()
  }

  @Test("what the system hands over is read from any payload")
  func incoming() throws {
    let key = try EnvelopeKey("enc")
    #expect(IncomingPush(payload: [:]) == IncomingPush(title: "", hasSound: false, envelope: .absent))
    let custom: JSONObject = ["aps": ["alert": "only a body"], "enc": "AQ"]
    #expect(
      IncomingPush(payload: custom, envelopeKey: key)
        == IncomingPush(title: "", hasSound: false, envelope: .text("AQ"), payload: custom))
    let number: JSONObject = ["aps": [], "ENCRYPTED_DATA": 1]
    #expect(
      IncomingPush(payload: number)
        == IncomingPush(title: "", hasSound: false, envelope: .notText, payload: number))
    let odd: JSONObject = ["aps": ["alert": ["title": 1], "sound": ""]]
    #expect(
      IncomingPush(payload: odd)
        == IncomingPush(title: "", hasSound: true, envelope: .absent, payload: odd))
  }

  @Test("the envelope is kept under the receiver's own key")
  func customKey() throws {
    let key = try EnvelopeKey("enc")
    let receiver = Receiver(
      topic: Parties.topic, keys: parties.device, senders: try parties.backend.publicKeys, envelopeKey: key,
      clock: ForgeClock())
    let text = try parties.envelope().text
    let payload: JSONObject = ["aps": ["alert": ["title": "Outer"]], "enc": .string(text), "x": "canary"]
    #expect(receiver.reception(ofPayload: payload).content.body == "secret")
    let degraded = receiver.reception(ofPayload: ["aps": [:], "enc": "!", "ENCRYPTED_DATA": .string(text)])
    #expect(degraded.outcome == .degraded(.malformedEnvelope))
    #expect(degraded.content.userInfo == ["enc": .string("!")])
  }
}

/// Keys that tell when they are looked up.
private struct AskedKeys: DeviceKeyStore {
  let keys: any DeviceKeyStore
  let asked: Signal

  func deviceKey(for id: KeyID, at now: UnixTime) throws(KeyStoreError) -> DeviceKey? {
    asked.fire()
    return try keys.deviceKey(for: id, at: now)
  }
}

/// Strings that cannot be read until the test says so.
private final class StalledStrings: LocalizedStrings {
  let asked = Signal()
  let release = Signal()

  func format(forKey key: String) -> String? {
    asked.fire()
    let semaphore = DispatchSemaphore(value: 0)
    Task { [release] in
      await release.wait()
      semaphore.signal()
    }
    semaphore.wait()
    return "late"
  }
}

/// The parties's time, for ever.
struct ForgeClock: PushClock {
  var now: UnixTime { Parties.now }

  var uptime: Duration { .zero }

  func sleep(until end: Duration) async throws {
    try await Task.sleep(for: .seconds(3600))
  }
}
