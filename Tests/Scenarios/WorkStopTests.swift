import Foundation
import Glibc
import TestSupport
import Testing

@Suite("A worker that stops, or is killed", .hangGuard)
struct WorkStopTests {
  /// Every push waits for an answer that does not come in a test's time.
  private static let silence = #"{"do":"fault","kind":"latency","amount":3600,"occasion":"all"}"#

  private func text(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

  @Test("SIGTERM ends it with 0, and what it could not end in time is another worker's at once")
  func term() async throws {
    let scene = try await WorkScene()
    try await scene.enrol()
    try await scene.apns.press(Self.silence)
    try await scene.enqueue((1...20).map { "n\($0)" })
    let (child, log) = try await scene.start("--stop-within 1s")
    try await HangGuard.wait(for: "claims") { try await scene.queue().leased == 20 }
    child.send(SIGTERM)
    #expect(try await child.wait() == .exited(0))
    let events = try text(log)
    #expect(
      events.contains(#""event":"stopping","within":1"#)
        && events.contains(#""event":"giving-back","open":20"#))
    #expect(try await scene.queue() == WorkScene.Queue(ready: 20))
    try await scene.apns.press(#"{"do":"clear-faults"}"#)
    #expect(try await scene.workOnce().status == 0)
    #expect(try await scene.queue() == WorkScene.Queue())
    try await scene.end()
  }

  @Test("SIGTERM ends it when all that it has is done")
  func gracefully() async throws {
    let scene = try await WorkScene()
    try await scene.enrol()
    try await scene.enqueue((1...150).map { "n\($0)" })
    let (child, log) = try await scene.start("--stop-within 1h --batch 10")
    child.send(SIGTERM)
    #expect(try await child.wait() == .exited(0))
    #expect(try scene.tool.names.filter { $0.hasPrefix("push.sqlite") } == ["push.sqlite"])
    let left = try await scene.queue()
    #expect(left.leased == 0 && left.delayed == 0 && left.dead == 0)
    let events = try text(log)
    #expect(events.contains(#""event":"stopped","done":\#(150 - left.ready),"#), "\(events)")
    try await scene.end()
  }

  @Test(
    "a worker whose store is replaced ends with 75 and says so, and the next one has the store that is there")
  func storeReplaced() async throws {
    let scene = try await WorkScene()
    try await scene.enrol()
    let (child, log) = try await scene.start()
    let store = scene.tool.path("push.sqlite")
    _ = try await scene.daemon("store backup push-copy.sqlite")
    try #require(unsafe rename(store, store + ".old") == 0)
    try #require(unsafe rename(scene.tool.path("push-copy.sqlite"), store) == 0)
    #expect(try await child.wait() == .exited(75))
    #expect(try text(log).contains("push.sqlite is no longer the file that was opened"))
    try await scene.end()
  }

  @Test("a worker that is killed loses nothing: another one ends its jobs, under the same message IDs")
  func kill() async throws {
    let scene = try await WorkScene()
    try await scene.enrol()
    let texts = (1...60).map { "number \($0)." }
    // Some are delivered before it dies, and the others have no answer.
    try await scene.enqueue(texts)
    let (first, _) = try await scene.start("--lease 3s --batch 10")
    _ = try await scene.apns.pushes(1)
    first.send(SIGKILL)
    #expect(try await first.wait() == .killed(by: SIGKILL))
    let (second, _) = try await scene.start("--lease 3s")
    try await HangGuard.wait(for: "an empty queue") { try await scene.queue() == WorkScene.Queue() }
    second.send(SIGTERM)
    #expect(try await second.wait() == .exited(0))
    let pushes = try await scene.apns.pushes(60).filter { !$0.person.isEmpty }
    let ids = Dictionary(grouping: pushes, by: \.person).mapValues { Set($0.map(\.id)).count }
    #expect(ids.keys.sorted() == texts.sorted() && ids.values.allSatisfy { $0 == 1 })
    try await scene.end()
  }

  @Test("two workers share a PostgreSQL database, which crashes in the middle; the phone shows each message")
  func postgres() async throws {
    let server = try PostgresServer()
    let scene = try await WorkScene(at: "postgresql://postgres@/postgres?host=\(server.folder)")
    try await scene.enrol()
    let (first, log) = try await scene.start("--batch 10 --lease 3s")
    let (second, _) = try await scene.start("--batch 10 --lease 3s")
    let texts = (1...60).map { "number \($0)." }
    try await scene.enqueue(texts)
    _ = try await scene.apns.pushes(1)
    try server.restart()
    try await HangGuard.wait(for: "an empty queue") { try await scene.queue() == WorkScene.Queue() }
    for child in [first, second] {
      child.send(SIGTERM)
      #expect(try await child.wait() == .exited(0))
    }
    #expect(try !text(log).contains("postgres@"))
    let pushes = try await scene.apns.pushes(60).filter { !$0.person.isEmpty }
    let ids = Dictionary(grouping: pushes, by: \.person).mapValues { Set($0.map(\.id)).count }
    #expect(ids.keys.sorted() == texts.sorted() && ids.values.allSatisfy { $0 == 1 })
    #expect(try await scene.daemon("store backup copy", status: 64).errors.contains("pg_dump"))
    try await scene.end()
  }

  @Test(
    "neither its log nor its metrics name a person, a token, a text or a key, and the metrics are Prometheus' text"
  )
  func mute() async throws {
    let scene = try await WorkScene()
    try await scene.enrol()
    try await scene.apns.press(
      #"{"do":"fault","kind":"refusal","status":503,"reason":"ServiceUnavailable","occasion":"all"}"#)
    try await scene.enqueue(["Lunch at noon?", "Tea at four?"])
    let (child, log) = try await scene.start("--metrics 0 --timeout 1s")
    try await HangGuard.wait(for: "retries") { try await scene.queue().delayed == 2 }
    let port = try #require(try text(log).firstMatch(of: #/"event":"metrics","port":(\d+)/#)).1
    let curl = ["curl", "-sS", "http://127.0.0.1:\(port)/metrics"]
    try await HangGuard.wait(for: "the fleet") {
      try await scene.tool.execute(curl).text.contains("\nsealpush_fleet_silent_devices 0\n")
    }
    let metrics = try await scene.tool.execute(curl).text
    child.send(SIGHUP)
    try await HangGuard.wait(for: "the keys") { try text(log).contains(#""keys-read""#) }
    child.send(SIGTERM)
    #expect(try await child.wait() == .exited(0))
    let logged = try text(log)
    #expect(logged.contains(#""event":"retried""#))
    for word in ["ada", "Lunch", "Tea", scene.apns.token, try await scene.tool.keys("device.jwks")[0].kid] {
      #expect(!logged.contains(word) && !metrics.contains(word), "\(word)")
    }
    for line in logged.split(separator: "\n") {
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      #expect(object?["event"] is String && object?["time"] is String)
    }
    check(metrics)
    // Each job once, or again since.
    let claimed = try #require(metrics.firstMatch(of: #/\nsealpush_jobs_claimed_total (\d+)\n/#)).1
    #expect(try #require(Int(claimed)) >= 2 && metrics.contains("\nsealpush_store_up 1\n"))
    let suite = #/\nsealpush_pushes_sealed_total{suite="x25519-chachapoly"} (\d+)\n/#
    let sealed = try #require(metrics.firstMatch(of: suite)).1
    #expect(try #require(Int(sealed)) >= 2)
    #expect(metrics.contains("\nsealpush_pushes_sealed_total{suite=\"xwing-aesgcm\"} 0\n"))
    #expect(metrics.contains("\nsealpush_enrolments_total{answer=\"registered\"} 0\n"))
    #expect(metrics.contains(#"sealpush_apns_refused_total{reason="ServiceUnavailable"} "#))
    #expect(metrics.contains(#"sealpush_apns_answer_seconds_bucket{le="+Inf"} "#))
    #expect(metrics.contains("\nsealpush_queue_oldest_ready_seconds "))
    #expect(metrics.contains("\nsealpush_enrolments_waiting 0\n"))
    #expect(metrics.contains("\nsealpush_enrolments_oldest_seconds 0\n"))
    #expect(metrics.contains("\nsealpush_fleet_devices{set=\"unknown\"} 0\n"))
    try await scene.end()
  }

  @Test("SIGHUP has it sign the next push with the keys that are in the file now")
  func hangup() async throws {
    let scene = try await WorkScene()
    try await scene.enrol()
    let tool = scene.tool
    for line in [
      "keys new --role sender --out other.jwks",
      "keys export --keys other.jwks --out other.pub.jwks",
    ] {
      try await tool.succeed(line)
    }
    let (child, log) = try await scene.start()
    try await scene.enqueue(["Lunch at noon?"])
    let first = try #require(try await scene.apns.pushes(1).first)
    #expect(unsafe rename(tool.path("other.jwks"), tool.path("sender.jwks")) == 0)
    child.send(SIGHUP)
    try await HangGuard.wait(for: "the keys") { try text(log).contains(#""keys-read""#) }
    try await scene.enqueue(["Tea at four?"])
    let next = try #require(try await scene.apns.pushes(2).first { $0.number > first.number })
    for (push, senders, others) in [
      (first, "sender.pub.jwks", "other.pub.jwks"), (next, "other.pub.jwks", "sender.pub.jwks"),
    ] {
      let payload = try await scene.apns.payload(of: push)
      let open = "open --keys device.jwks --topic com.example.app --senders"
      #expect(try await tool.run("\(open) \(senders)", input: .text(payload)).status == 0)
      #expect(try await tool.run("\(open) \(others)", input: .text(payload)).status == 65)
    }
    child.send(SIGTERM)
    #expect(try await child.wait() == .exited(0))
    try await scene.end()
  }

  @Test("SIGHUP leaves it the keys that it has if the file has none, and the log says why")
  func brokenKeys() async throws {
    let scene = try await WorkScene()
    try await scene.enrol()
    let (child, log) = try await scene.start()
    try scene.tool.write("{", to: "sender.jwks")
    child.send(SIGHUP)
    try await HangGuard.wait(for: "the error") { try text(log).contains(#""event":"keys-kept""#) }
    let line = try #require(try text(log).split(separator: "\n").first { $0.contains(#""keys-kept""#) })
    #expect(line.contains("sender.jwks"))
    try await scene.enqueue(["Lunch at noon?"])
    #expect(try await scene.apns.shows("Lunch at noon?"))
    child.send(SIGTERM)
    #expect(try await child.wait() == .exited(0))
    try await scene.end()
  }

  @Test("an outage does not fill the disk: the log counts what it leaves out")
  func boundedLog() async throws {
    let scene = try await WorkScene()
    let line =
      #"{"person":"ada-lovelace","payload":{"aps":{"alert":"Lunch?"}},"expires_at":1700000000}"# + "\n"
    let lines = String(repeating: line, count: 300)
    _ = try await scene.daemon("enqueue --lines", input: .text(lines))
    let log = try await scene.workOnce().errors
    #expect(try await scene.queue() == WorkScene.Queue(dead: 300))
    let written = log.components(separatedBy: #""event":"discarded""#).count - 1
    let omitted = log.matches(of: #/"event":"omitted","count":(\d+)/#).compactMap { Int($0.1) }.reduce(0, +)
    #expect(written + omitted == 300 && omitted > 0)
    try await scene.end()
  }

  /// Checks the format: each metric has its help and its type, then its samples, and comes once.
  private func check(_ metrics: String) {
    var name = ""
    var seen: Set<Substring> = []
    #expect(metrics.hasSuffix("\n"))
    for line in metrics.split(separator: "\n") {
      if let help = line.wholeMatch(of: #/# HELP ([a-z_]+) [A-Z][^\\]+\./#) {
        name = String(help.1)
        #expect(seen.insert(help.1).inserted)
      } else if line.hasPrefix("# TYPE") {
        #expect(
          line.wholeMatch(of: #/# TYPE ([a-z_]+) (counter|gauge|summary|histogram)/#)?.1 == name[...],
          "\(line)")
      } else {
        let sample = line.wholeMatch(
          of: #/([a-z_]+?)(_sum|_count|_bucket)?(\{[a-z]+="[A-Za-z0-9.+-]+"\})? [0-9.e+-]+/#)
        #expect(sample?.1 == name[...], "\(line)")
      }
    }
    #expect(seen.count > 20)
  }

  @Test("the metrics are for this machine alone, and nothing else is there")
  func metricsServer() async throws {
    let scene = try await WorkScene()
    let (child, log) = try await scene.start("--metrics 0")
    let port = try #require(try text(log).firstMatch(of: #/"event":"metrics","port":(\d+)/#)).1
    for (words, status) in [
      ("http://127.0.0.1:\(port)/metrics", "200"), ("http://127.0.0.1:\(port)/", "404"),
      ("-X POST http://127.0.0.1:\(port)/metrics", "405"),
      ("-H Host:example.com http://127.0.0.1:\(port)/metrics", "421"),
    ] {
      let call = "curl -sS -o /dev/null -w %{http_code} \(words)".split(separator: " ").map(String.init)
      #expect(try await scene.tool.execute(call).text == status, "\(words)")
    }
    child.send(SIGINT)
    #expect(try await child.wait() == .exited(0))
    try await scene.end()
  }
}
