import PushCore
import PushKeys
import PushReceiver
import PushTesting
import TestSupport
import Testing

@Suite(.hangGuard)
struct SimulationTests {
  private let bench = Bench()

  @Test("what a sealer makes runs the extension and shows the sealed text")
  func opened() async throws {
    let simulation = await Simulation.deliver(try bench.sealed(), to: bench.receiver())
    #expect(simulation.notRun == nil)
    guard case .opened? = simulation.outcome else {
      Issue.record("\(String(describing: simulation.outcome))")
      return
    }
    #expect(simulation.shown.title == "Ada")
    #expect(simulation.shown.body == "Lunch?")
  }

  @Test("what does not open shows the best attempt")
  func degraded() async throws {
    let simulation = await Simulation.deliver(try bench.sealed(), to: Bench().receiver())
    #expect(simulation.notRun == nil)
    #expect(simulation.outcome == .degraded(.unknownKey))
    #expect(simulation.shown.title == "New notification")
    #expect(simulation.shown.body == "(Encrypted)")
  }

  @Test(
    "mutable-content must be the number 1",
    arguments: [nil, "1", true, 0, 2, -1, .null, [], [1], 1.0] as [JSONValue?])
  func noMutableContent(value: JSONValue?) async throws {
    let payload = try bench.sealed { $0["mutable-content"] = value }
    let simulation = await Simulation.deliver(payload, to: bench.receiver())
    #expect(simulation.notRun == .noMutableContent)
    #expect(simulation.outcome == nil)
    #expect(simulation.shown.title == "New notification")
    #expect(simulation.shown.body == "(Encrypted)")
    #expect(simulation.shown.sound == .default)
  }

  @Test(
    "there must be an alert with a text",
    arguments: [
      [:], ["badge": 1], ["sound": "default"], ["badge": 1, "sound": "default"], ["content-available": 1],
      ["alert": ""], ["alert": [:]], ["alert": ["title": "", "body": ""]], ["alert": ["subtitle": "s"]],
    ] as [JSONObject])
  func noAlert(aps: JSONObject) async throws {
    var aps = aps
    aps["mutable-content"] = 1
    var payload = try bench.sealed()
    payload["aps"] = .object(aps)
    let simulation = await Simulation.deliver(payload, to: bench.receiver())
    #expect(simulation.notRun == .noAlert)
    #expect(simulation.outcome == nil)
    #expect(simulation.shown.title.isEmpty)
    #expect(simulation.shown.body.isEmpty)
  }

  @Test(
    "any text will do",
    arguments: ["a", ["title": "t"], ["body": "b"], ["loc-key": "K"], ["title-loc-key": "K"]] as [JSONValue])
  func anyText(alert: JSONValue) async throws {
    let payload = try bench.sealed { $0["alert"] = alert }
    let simulation = await Simulation.deliver(payload, to: bench.receiver())
    #expect(simulation.notRun == nil)
    #expect(simulation.shown.body == "Lunch?")
  }

  @Test("the reasons' names are stable, and the first one that applies is given")
  func names() async {
    #expect(NotRunReason.noMutableContent.rawValue == "no-mutable-content")
    #expect(NotRunReason.noAlert.rawValue == "no-alert")
    for payload in [[:], ["aps": [:]], ["aps": "x"]] as [JSONObject] {
      #expect(await Simulation.deliver(payload, to: bench.receiver()).notRun == .noMutableContent)
    }
  }

  @Test("a payload that runs no extension is shown as it came")
  func unopened() async throws {
    let payload: JSONObject = [
      "aps": [
        "alert": ["title": "t", "subtitle": "s", "body": "b", "launch-image": "L"], "badge": 3,
        "category": "C", "sound": ["critical": 1, "name": "alarm"], "interruption-level": "critical",
        "filter-criteria": "F",
      ], "x": 1, "ENCRYPTED_DATA": "AQ", "sealed-push": 2,
    ]
    let shown = await Simulation.deliver(payload, to: bench.receiver()).shown
    #expect([shown.title, shown.subtitle, shown.body, shown.category] == ["t", "s", "b", "C"])
    #expect(shown.badge == 3)
    #expect(shown.sound == .critical(name: "alarm"))
    #expect(shown.interruptionLevel == .critical)
    #expect(shown.launchImageName == "L")
    #expect(shown.filterCriteria == "F")
    #expect(shown.userInfo["x"] == .integer(1))
    #expect(shown.userInfo["ENCRYPTED_DATA"] == .string("AQ"))
    #expect(shown.userInfo["sealed-push"] == .integer(2))
  }

  private static let table = #""NEW" = "New from %@"; "TITLE" = "A title";"#

  /// A receiver in an app that has texts, or none.
  private func receiver(hasTexts: Bool) throws -> Receiver {
    var receiver = bench.receiver()
    if hasTexts { receiver.strings = try StringTable(strings: Array(Self.table.utf8).span) }
    return receiver
  }

  @Test(
    "a text by key of a push that runs no extension is the app's, or the key itself",
    arguments: [(true, ["A title", "", "New from Ada"]), (false, ["TITLE", "", "NEW"])])
  func localized(hasTexts: Bool, texts: [String]) async throws {
    let alert: JSONObject = ["title-loc-key": "TITLE", "loc-key": "NEW", "loc-args": ["Ada"]]
    let payload: JSONObject = ["aps": ["alert": .object(alert)]]
    let shown = await Simulation.deliver(payload, to: try receiver(hasTexts: hasTexts)).shown
    #expect([shown.title, shown.subtitle, shown.body] == texts)
  }

  @Test(
    "the title of a push that does not open is the app's, too",
    arguments: [(true, "A title"), (false, "TITLE")])
  func localizedTitle(hasTexts: Bool, title: String) async throws {
    var payload = try bench.sealed { $0["alert"] = ["title-loc-key": "TITLE"] }
    payload["ENCRYPTED_DATA"] = nil
    let simulation = await Simulation.deliver(payload, to: try receiver(hasTexts: hasTexts))
    #expect(simulation.outcome == .degraded(.noEnvelope))
    #expect(simulation.shown.title == title)
    #expect(simulation.shown.body == "(Encrypted)")
  }

  @Test("a push without an envelope never shows the sender's text")
  func encryptedOnly() async {
    let payload: JSONObject = ["aps": ["alert": ["title": "t", "body": "plain"], "mutable-content": 1]]
    let simulation = await Simulation.deliver(payload, to: bench.receiver())
    #expect(simulation.outcome == .degraded(.noEnvelope))
    #expect(simulation.shown.body == "(Encrypted)")
  }

  @Test("a locked phone shows the best attempt")
  func locked() async throws {
    let simulation = await Simulation.deliver(try bench.sealed(), to: bench.receiver(keys: LockedKeyStore()))
    #expect(simulation.outcome == .degraded(.keyLocked))
    #expect(simulation.shown.body == "(Encrypted)")
  }

  @Test("a store that does not answer meets the deadline")
  func stalled() async throws {
    let clock = ManualClock(Bench.now)
    let store = StalledKeyStore(bench.device)
    let receiver = bench.receiver(keys: store, clock: clock)
    let payload = try bench.sealed()
    async let delivery = Simulation.deliver(payload, to: receiver, deadline: .seconds(3))
    await clock.waitForSleepers()
    clock.advance(by: .seconds(3))
    let simulation = await delivery
    #expect(simulation.outcome == .degraded(.deadline))
    #expect(simulation.shown.subtitle == "(Encrypted)")
    store.release()
  }
}
