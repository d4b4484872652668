import Foundation
import Glibc
import PushNetwork
import TestSupport
import Testing

/// The page of `sealpushd page`: what it answers, and whom.
@Suite("The operators' page", .hangGuard)
struct OperatorPageTests {
  /// A page that is served, and who asks it.
  private struct Page {
    let child: Child
    private let port: UInt16
    private let token: String

    init(of tool: Tool, _ options: String = "") async throws {
      struct Place: Decodable { let page: URL }
      let words = "page --store push.sqlite --port 0 --json \(options)".split(separator: " ").map(String.init)
      let surroundings = try tool.surroundings()
      let child = try Child([Tool.daemon] + words, in: surroundings)
      self.child = child
      let output = URL(fileURLWithPath: surroundings.output)
      try await HangGuard.wait(for: "the page") {
        try #require(child.check() == nil)
        return try Data(contentsOf: output).last == UInt8(ascii: "\n")
      }
      let url = try JSONDecoder().decode(Place.self, from: Data(contentsOf: output)).page
      (port, token) = (UInt16(try #require(url.port)), url.pathComponents[1])
    }

    /// Sends a request, with `HOST` for the page's own host and `TOKEN` for its token.
    func send(_ request: String) async throws -> (status: Int, body: String) {
      let text = request.replacing("HOST", with: "127.0.0.1:\(port)").replacing("TOKEN", with: token)
      let answer = try await LoopbackClient(to: .port(port)).send(Array(text.utf8), limit: 1 << 20)
      return (answer.status, String(decoding: answer.body, as: UTF8.self))
    }

    func get(_ path: String, host: String = "HOST") async throws -> (status: Int, body: String) {
      try await send("GET \(path) HTTP/1.1\r\nHost: \(host)\r\n\r\n")
    }

    func post(
      _ json: String, to path: String = "do", origin: String = "http://HOST",
      type: String = "application/json",
      header: String = "SealedPush-Page: 1\r\n"
    ) async throws -> (status: Int, body: String) {
      try await send(
        """
        POST /TOKEN/\(path) HTTP/1.1\r\nHost: HOST\r\nOrigin: \(origin)\r\nContent-Type: \(type)\r\n\(header)\
        Content-Length: \(json.utf8.count)\r\n\r\n\(json)
        """)
    }

    func end() async throws {
      child.send(SIGTERM)
      #expect(try await child.wait() == .exited(0))
    }
  }

  private static let secret = "Lunch at noon, secretly"

  private func tool() async throws -> Tool {
    let tool = try Tool()
    let payload = #"{"aps":{"alert":"\#(Self.secret)"}}"#
    let options = "--person ada --topic com.example.app"
    _ = try await tool.daemon("enqueue --store push.sqlite \(options)", input: .text(payload))
    return tool
  }

  @Test(
    "nobody without the address, with another host or from another page gets anything or changes anything")
  func rules() async throws {
    let tool = try await tool()
    let page = try await Page(of: tool)
    let pause = #"{"do":"pause"}"#
    for path in ["/", "/state", "/AAAAAAAAAAAAAAAAAAAAAA/state", "/TOKENA/state"] {
      #expect(try await page.get(path).status == 403)
    }
    #expect(try await page.get("/TOKEN/state", host: "evil.example").status == 421)
    #expect(try await page.post(pause, origin: "http://evil.example").status == 403)
    #expect(try await page.post(pause, origin: "null").status == 403)
    #expect(try await page.post(pause, header: "").status == 403)
    #expect(try await page.post(pause, type: "text/plain").status == 415)
    #expect(try await page.get("/TOKEN/do").status == 405)
    #expect(try await page.get("/TOKEN/ask").status == 405)
    #expect(try await page.get("/TOKEN/other").status == 404)
    for ask in [#"{"ask":"all"}"#, "[]", #"{"ask":"devices"}"#] {
      #expect(try await page.post(ask, to: "ask").status == 400)
    }
    #expect(try await tool.daemon("queue --store push.sqlite").text.contains("paused") == false)
    try await page.end()
  }

  @Test(
    "what is no command changes nothing",
    arguments: [
      #"{"do":"pause","topic":"not a topic"}"#, #"{"do":"pause","environment":7}"#,
      #"{"do":"resend","jobs":[]}"#,
      #"{"do":"delete","jobs":["1"]}"#, #"{"do":"rate","limit":"5/1s"}"#,
      #"{"do":"rate","topic":"com.example.app","limit":"many"}"#, #"{"do":"forget"}"#,
    ])
  func commands(command: String) async throws {
    let tool = try await tool()
    let page = try await Page(of: tool)
    #expect(try await page.post(command).status == 400)
    #expect(try await !tool.daemon("queue --store push.sqlite").text.contains("paused"))
    try await page.end()
  }

  @Test("it shows the queue, and what operators do there and elsewhere, and no text")
  func state() async throws {
    let tool = try await tool()
    let page = try await Page(of: tool)
    #expect(try await page.post(#"{"do":"pause","topic":"com.example.app"}"#).body == #"{"done":1}"#)
    #expect(try await page.post(#"{"do":"rate","topic":"com.example.app","limit":"6000/1m"}"#).status == 200)
    let queue = try await tool.daemon("queue --store push.sqlite").text
    #expect(
      queue.contains("paused: com.example.app") && queue.contains("limited: com.example.app to 6000/1m"))
    var state = ""
    try await HangGuard.wait(for: "a count") {
      state = try await page.get("/TOKEN/state").body
      return state.contains(#""ready":1"#) && state.contains(#""waiting":1"#)
    }
    #expect(state.contains(#""push_type":"alert""#) && state.contains(#""topic":"com.example.app""#))
    #expect(state.contains(#""pauses":[{"#) && state.contains(#""rates":[{"#) && !state.contains("secretly"))
    _ = try await tool.daemon("resume --store push.sqlite")
    #expect(try await page.get("/TOKEN/state").body.contains(#""pauses":[]"#))
    #expect(try await page.post(#"{"do":"resume"}"#).body == #"{"done":0}"#)
    try await page.end()
  }

  @Test("dead letters are searched, sent again and deleted, and devices shown, without a text or a token")
  func letters() async throws {
    let scene = try await WorkScene()
    try await scene.enrol()
    for person in ["ada-lovelace", "bob"] {
      _ = try await scene.tool.daemon(
        "enqueue --store push.sqlite --person \(person) --topic com.example.unknown",
        input: .text(#"{"aps":{"alert":"\#(Self.secret)"}}"#))
    }
    _ = try await scene.workOnce("--nobody dead")
    let page = try await Page(of: scene.tool)
    let all = try await page.post(#"{"ask":"dead"}"#, to: "ask").body
    #expect(all.contains(#""job":1"#) && all.contains(#""job":2"#) && !all.contains("secretly"))
    let bob = try await page.post(#"{"ask":"dead","person":"bob","reason":"TOPIC"}"#, to: "ask").body
    #expect(bob.contains(#""job":2"#) && !bob.contains(#""job":1"#))
    #expect(
      try await page.post(#"{"ask":"dead","topic":"com.example.app"}"#, to: "ask").body == #"{"letters":[]}"#)
    #expect(try await page.post(#"{"do":"resend","jobs":[1]}"#).body == #"{"done":1}"#)
    #expect(try await page.post(#"{"do":"delete","jobs":[1,2]}"#).body == #"{"done":1}"#)
    #expect(try await page.post(#"{"ask":"dead"}"#, to: "ask").body == #"{"letters":[]}"#)
    let devices = try await page.post(#"{"ask":"devices","person":"ada-lovelace"}"#, to: "ask").body
    #expect(devices.contains(#""registration":"ada-1""#) && devices.contains(#""reachable":true"#))
    #expect(devices.contains(#""environment":"sandbox""#) && !devices.contains(scene.apns.token))
    try await page.end()
    try await scene.end()
  }

  @Test("the page runs its own script alone, and what comes from outside gets into it as text")
  func script() async throws {
    let page = try await Page(of: try await tool())
    let html = try await page.get("/TOKEN/").body
    #expect(html.contains("<script nonce=\"") && !html.contains("NONCE") && html.contains("textContent"))
    for markup in ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "srcdoc"] {
      #expect(!html.contains(markup), "\(markup)")
    }
    try await page.end()
  }

  @Test("a store that is sealed needs its row key for devices alone")
  func sealed() async throws {
    let scene = try await WorkScene()
    try await scene.enrol()
    let tool = scene.tool
    _ = try await tool.daemon("store key --out row.key")
    _ = try await tool.daemon("store seal --store push.sqlite --row-key row.key")
    let page = try await Page(of: tool)
    #expect(try await page.get("/TOKEN/state").status == 200)
    #expect(try await page.post(#"{"ask":"devices","person":"ada-lovelace"}"#, to: "ask").status == 503)
    try await page.end()
    let keyed = try await Page(of: tool, "--row-key row.key")
    #expect(try await keyed.post(#"{"ask":"devices","person":"ada-lovelace"}"#, to: "ask").status == 200)
    try await keyed.end()
    try await scene.end()
  }
}
