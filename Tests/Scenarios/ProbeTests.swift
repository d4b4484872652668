import Foundation
import Glibc
import TestSupport
import Testing

@Suite("Whether a worker or a service works and is ready, over HTTP", .hangGuard)
struct ProbeTests {
  private struct Answer: Equatable {
    let status: Int
    let body: String

    static let ok = Answer(status: 200, body: "ok\n")
  }

  /// Asks with curl; `options` come before the address.
  private func ask(_ address: String, _ path: String, _ options: [String] = [], by tool: Tool) async throws
    -> Answer
  {
    let words =
      ["curl", "-sS", "-g", "-m", "30", "-w", "\n%{http_code}"] + options + ["http://\(address)\(path)"]
    let run = try await tool.execute(words)
    try #require(run.status == 0, "\(run.errors)")
    let parts = run.text.split(separator: "\n", omittingEmptySubsequences: false)
    let status = try #require(parts.last.flatMap { Int($0) })
    return Answer(status: status, body: parts.dropLast().joined(separator: "\n"))
  }

  private func text(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

  /// Where a process says that it listens.
  private func address(in log: String) throws -> String {
    String(try #require(try text(log).firstMatch(of: #/"event":"listening","address":"([^"]+)"/#)).1)
  }

  private func end(_ child: Child, of scene: WorkScene) async throws {
    child.send(SIGTERM)
    #expect(try await child.wait() == .exited(0))
    try await scene.end()
  }

  @Test(
    "a worker answers at an address of its own: metrics, health and readiness, and nothing else",
    arguments: [("0", "127.0.0.1:"), ("127.0.0.1:0", "127.0.0.1:"), ("[::1]:0", "[::1]:")])
  func loopback(option: String, prefix: String) async throws {
    let scene = try await WorkScene()
    let (child, log) = try await scene.start("--listen \(option)")
    let address = try address(in: log)
    #expect(address.hasPrefix(prefix))
    let tool = scene.tool
    #expect(try await ask(address, "/healthz", by: tool) == .ok)
    #expect(try await ask(address, "/readyz", by: tool) == .ok)
    let metrics = try await ask(address, "/metrics", by: tool)
    #expect(metrics.status == 200 && metrics.body.contains("\nsealpush_store_up 1\n"))
    #expect(metrics.body.contains("\nsealpush_routes_stopped 0\n"))
    #expect(try await ask(address, "/", by: tool).status == 404)
    #expect(try await ask(address, "/healthz?verbose", by: tool).status == 404)
    #expect(try await ask(address, "/readyz", ["-X", "POST"], by: tool).status == 405)
    // A page of another site, whose name points here.
    #expect(try await ask(address, "/metrics", ["-H", "Host: example.com"], by: tool).status == 421)
    #expect(
      try await ask(address, "/healthz", ["-H", "X: " + String(repeating: "x", count: 9000)], by: tool).status
        == 413)
    try await end(child, of: scene)
  }

  @Test("at an address for others, a request may name the machine as it likes")
  func others() async throws {
    let scene = try await WorkScene()
    let (child, log) = try await scene.start("--listen 0.0.0.0:0 --metrics 0")
    let address = try address(in: log).replacing("0.0.0.0", with: "127.0.0.1")
    let named = ["-H", "Host: worker-1.example.com"]
    #expect(try await ask(address, "/readyz", named, by: scene.tool) == .ok)
    #expect(try await ask(address, "/metrics", named, by: scene.tool).status == 200)
    // The port of --metrics is for this machine, and for metrics.
    let port = try #require(try text(log).firstMatch(of: #/"event":"metrics","port":(\d+)/#)).1
    #expect(try await ask("127.0.0.1:\(port)", "/metrics", by: scene.tool).status == 200)
    #expect(try await ask("127.0.0.1:\(port)", "/metrics", named, by: scene.tool).status == 421)
    #expect(try await ask("127.0.0.1:\(port)", "/healthz", by: scene.tool).status == 404)
    try await end(child, of: scene)
  }

  @Test("from the signal on, a worker is not ready, and works while it finishes")
  func stopping() async throws {
    let scene = try await WorkScene()
    try await scene.enrol()
    try await scene.apns.press(#"{"do":"fault","kind":"latency","amount":3600,"occasion":"all"}"#)
    try await scene.enqueue(["Lunch?"])
    let (child, log) = try await scene.start("--listen 0 --stop-within 1h")
    let address = try address(in: log)
    try await HangGuard.wait(for: "a claim") { try await scene.queue().leased == 1 }
    #expect(try await ask(address, "/readyz", by: scene.tool) == .ok)
    child.send(SIGTERM)
    try await HangGuard.wait(for: "the signal") { try text(log).contains(#""event":"stopping""#) }
    #expect(
      try await ask(address, "/readyz", by: scene.tool) == Answer(status: 503, body: "it is stopping\n"))
    #expect(try await ask(address, "/healthz", by: scene.tool) == .ok)
    #expect(try await ask(address, "/metrics", by: scene.tool).body.contains("\nsealpush_jobs_open 1\n"))
    child.send(SIGKILL)
    _ = try await child.wait()
    try await scene.end()
  }

  @Test(
    "a worker whose tables are gone is not ready, says why without a name, and is ready when they are back")
  func noTables() async throws {
    let server = try PostgresServer()
    let scene = try await WorkScene(at: "postgresql://postgres@/postgres?host=\(server.folder)")
    let (child, log) = try await scene.start("--listen 0")
    let address = try address(in: log)
    func rename(_ old: String, _ new: String) async throws {
      let run = try await scene.tool.execute([
        "psql", "-qX", "-h", server.folder, "-U", "postgres", "-c", "ALTER SCHEMA \(old) RENAME TO \(new)",
      ])
      try #require(run.status == 0, "\(run.errors)")
    }
    try await rename("sealpush", "gone")
    try await HangGuard.wait(for: "the readiness to end") {
      try await ask(address, "/readyz", by: scene.tool) != .ok
    }
    let answer = try await ask(address, "/readyz", by: scene.tool)
    #expect(
      answer.status == 503 && answer.body.hasPrefix("the store ") && answer.body.hasSuffix("\n"), "\(answer)")
    for word in ["postgres", "sealpush", server.folder] { #expect(!answer.body.contains(word)) }
    #expect(try await ask(address, "/healthz", by: scene.tool) == .ok)
    try await rename("gone", "sealpush")
    try await HangGuard.wait(for: "the readiness") {
      try await ask(address, "/readyz", by: scene.tool) == .ok
    }
    try await end(child, of: scene)
  }

  @Test("while the database hangs, metrics keep no probe waiting, and only eight of them wait")
  func hangingStore() async throws {
    let server = try PostgresServer()
    let scene = try await WorkScene(at: "postgresql://postgres@/postgres?host=\(server.folder)")
    let (child, log) = try await scene.start("--listen 0")
    let address = try address(in: log)
    let surroundings = try scene.tool.surroundings()
    let commands = ["BEGIN", "LOCK TABLE sealpush.job", #"\echo locked"#, "SELECT pg_sleep(3600)"]
    let holder = try Child(
      ["psql", "-qXAt", "-h", server.folder, "-U", "postgres"] + commands.flatMap { ["-c", $0] },
      in: surroundings)
    try await HangGuard.wait(for: "the lock") {
      try #require(holder.check() == nil)
      return try text(surroundings.output).contains("locked")
    }
    let script = """
      for _ in $(seq 16); do curl -sS -m 20 -o /dev/null -w '%{http_code}\\n' http://\(address)/metrics & done; wait
      """
    let tool = scene.tool
    async let scrapes = tool.shell(script)
    try await HangGuard.wait(for: "the readiness to end") {
      try await ask(address, "/readyz", by: scene.tool) != .ok
    }
    #expect(try await ask(address, "/healthz", by: scene.tool) == .ok)
    let statuses = try await scrapes.lines
    #expect(statuses.count == 16 && statuses.contains("503"), "\(statuses)")
    holder.send(SIGKILL)
    _ = try await holder.wait()
    child.send(SIGKILL)
    _ = try await child.wait()
    try await scene.end()
  }

  @Test("a worker is not ready when the key that signs has ended")
  func endedKey() async throws {
    let scene = try await WorkScene()
    // As few seconds as a worker may need to start.
    let code = """
      import json, time
      with open("sender.jwks") as file: keys = json.load(file)
      keys["keys"][0]["exp"] = int(time.time()) + 5
      with open("sender.jwks", "w") as file: json.dump(keys, file)
      """
    let run = try await scene.tool.execute(["python3", "-c", code])
    try #require(run.status == 0, "\(run.errors)")
    let (child, log) = try await scene.start("--listen 0")
    let address = try address(in: log)
    try await HangGuard.wait(for: "the end of the key") {
      try await ask(address, "/readyz", by: scene.tool)
        == Answer(status: 503, body: "none of the sender's keys signs now\n")
    }
    #expect(try await ask(address, "/healthz", by: scene.tool) == .ok)
    try await end(child, of: scene)
  }

  @Test("a service's probes need no secret, and give nothing else")
  func service() async throws {
    let serve = try await ServeScene("--probes 0")
    let address = try address(in: serve.log)
    #expect(try await ask(address, "/healthz", by: serve.tool) == .ok)
    #expect(try await ask(address, "/readyz", by: serve.tool) == .ok)
    for path in ["/metrics", "/v1/health", "/v1/senders/com.example.app"] {
      #expect(try await ask(address, path, by: serve.tool).status == 404)
    }
    #expect(try await serve.get("/v1/health").status == 200)
    #expect(try await serve.get("/healthz").status == 404)
    try await serve.end()
  }

  @Test(
    "an address that is none, or is not this machine's, is refused",
    arguments: [
      ("localhost:9464", 64), (":9464", 64), ("127.0.0.1", 64), ("127.0.0.1:", 64), ("::1:9464", 64),
      ("1.2.3:9464", 64),
      ("[::ffff:127.0.0.1]:9464", 64), ("[fe80::1%lo]:9464", 64), ("unix:socket", 64),
      ("127.0.0.1:65536", 64),
      ("203.0.113.7:9464", 1),
    ] as [(String, Int32)])
  func refused(address: String, status: Int32) async throws {
    let scene = try await WorkScene()
    let run = try await scene.workOnce("--listen \(address)")
    #expect(run.status == status, "\(run.errors)")
    #expect(
      run.errors.contains(
        status == 64 ? "--listen must be PORT, 127.0.0.1:PORT" : "cannot listen on \(address)"))
    try await scene.end()
  }
}
