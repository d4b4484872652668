import PushKeys
import PushStandIn
import PushTesting
import TestSupport
import Testing

/// The page's server: what it answers, and whom.
@Suite(.hangGuard) struct PageTests {
  private let stand: Stand
  private let phone: StandInPhone
  private let page: StandInPage

  init() throws {
    stand = try Stand()
    phone = try stand.phone("Ada")
    page = try StandInPage(of: stand.apns)
  }

  private func get(_ path: String) async throws -> String {
    try await Browser(page).exchange("GET /PAGE\(path) HTTP/1.1\r\nHost: HOST\r\n\r\n")
  }

  private func post(
    _ json: String, _ origin: String = "http://HOST", type: String = "application/json",
    following rest: String = ""
  ) async throws -> String {
    let answer = try await Browser(page).exchange(
      """
      POST /PAGE/do HTTP/1.1\r\nHost: HOST\r\nOrigin: \(origin)\r\nContent-Type: \(type)\r\n\
      Content-Length: \(json.utf8.count)\r\n\r\n\(json)\(rest)
      """)
    return String(answer.prefix { $0 != "\r\n" })
  }

  private func send(_ title: String) async throws {
    let payload = #"{"aps":{"alert":{"title":"\#(title)","body":"b"}}}"#
    #expect(try await stand.send(stand.request(plain: payload, to: phone.token)) == nil)
    _ = try await phone.shown
  }

  @Test("the page runs its own script and nothing else")
  func policy() async throws {
    let answer = try await get("/")
    #expect(answer.hasPrefix("HTTP/1.1 200 OK"))
    let nonce = try #require(answer.split(separator: "script-src 'nonce-").last?.prefix { $0 != "'" })
    #expect(answer.contains("default-src 'none';") && answer.contains("require-trusted-types-for 'script'"))
    #expect(answer.contains("<script nonce=\"\(nonce)\">") && !answer.contains("unsafe-inline"))
    #expect(answer.split(separator: "<script").count == 2)
    #expect(try await !get("/").contains(nonce))
  }

  @Test("what comes from outside gets into the page as text alone")
  func text() async throws {
    let page = try await get("/")
    #expect(page.contains("textContent = text"))
    for markup in [
      "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "DOMParser",
      "createContextualFragment",
      "setHTML", "srcdoc", "javascript:", "eval(", "new Function", "createPolicy",
    ] {
      #expect(!page.contains(markup), "\(markup)")
    }
  }

  @Test(
    "nothing is answered and nothing done without the address's token",
    arguments: ["/", "/events", "/pushes/1", "/AAAAAAAAAAAAAAAAAAAAAA/", "//", "/PAGEA/", "/AAAA/PAGE/"])
  func noToken(_ path: String) async throws {
    for method in ["GET", "POST"] {
      let answer = try await Browser(page).exchange("\(method) \(path) HTTP/1.1\r\nHost: HOST\r\n\r\n")
      #expect(answer.hasPrefix("HTTP/1.1 403") && answer.hasSuffix("with its token\n"))
    }
  }

  @Test("a name that somebody else lets point here is refused", arguments: ["evil.example", "127.0.0.1", ""])
  func host(_ host: String) async throws {
    let answer = try await Browser(page).exchange("GET /PAGE/ HTTP/1.1\r\nHost: \(host)\r\n\r\n")
    #expect(answer.hasPrefix("HTTP/1.1 421"))
  }

  @Test("only a page of this server changes anything, by POST and in JSON")
  func origin() async throws {
    let command = #"{"do":"switch-off","phone":"Ada"}"#
    #expect(try await post(command, "http://evil.example") == "HTTP/1.1 403 Forbidden")
    #expect(try await post(command, "null") == "HTTP/1.1 403 Forbidden")
    #expect(try await post(command, type: "text/plain") == "HTTP/1.1 415 Unsupported Media Type")
    #expect(try await get("/do").hasPrefix("HTTP/1.1 404"))
    #expect(phone.isOn)
    #expect(try await post(command) == "HTTP/1.1 200 OK")
    #expect(!phone.isOn)
  }

  @Test("phones are changed from the page")
  func phones() async throws {
    let token = phone.token
    for action in ["switch-off", "restart", "rotate"] {
      #expect(try await post(#"{"do":"\#(action)","phone":"Ada"}"#) == "HTTP/1.1 200 OK")
    }
    #expect(try await post(#"{"do":"power","phone":"Ada","power":"low"}"#) == "HTTP/1.1 200 OK")
    #expect(!phone.isOn && phone.isLocked && phone.token != token && phone.power == .low)
    for action in ["switch-on", "unlock", "delete"] {
      #expect(try await post(#"{"do":"\#(action)","phone":"Ada"}"#) == "HTTP/1.1 200 OK")
    }
    #expect(phone.isOn && !phone.isLocked && stand.apns.phones.isEmpty)
  }

  @Test("a test push shows what a phone does, without a backend")
  func testPush() async throws {
    #expect(try await post(#"{"do":"push","phone":"Ada"}"#) == "HTTP/1.1 200 OK")
    let shown = try await phone.shown
    #expect(shown.title == "Test" && shown.body == "A push from the page, which is not sealed")
    #expect(stand.apns.pushes.last?.headers.contains { $0.name == "authorization" } == false)
  }

  @Test("faults are added and cleared from the page")
  func faults() async throws {
    let fault =
      #"{"do":"fault","kind":"refusal","status":429,"reason":"TooManyRequests","occasion":"next","count":3}"#
    #expect(try await post(fault) == "HTTP/1.1 200 OK")
    #expect(stand.apns.faults.lines.map(\.fault) == [.refusal(.tooManyRequests)])
    #expect(stand.apns.faults.lines.map(\.occasion) == [.next(3)])
    let rare = #"{"do":"fault","kind":"cut","occasion":"each","count":1000000}"#
    #expect(try await post(rare) == "HTTP/1.1 200 OK")
    #expect(stand.apns.faults.lines.last?.occasion == .each(1_000_000))
    #expect(try await post(#"{"do":"clear-faults"}"#) == "HTTP/1.1 200 OK")
    #expect(stand.apns.faults.lines.isEmpty)
  }

  @Test(
    "a command that is none changes nothing",
    arguments: [
      "", "[]", "{}", #"{"do":"explode","phone":"Ada"}"#, #"{"do":"switch-off","phone":"Bob"}"#,
      #"{"do":"power","phone":"Ada","power":"fusion"}"#, #"{"do":"fault","kind":"refusal","occasion":"all"}"#,
      #"{"do":"fault","kind":"refusal","status":9999,"reason":"a","occasion":"all"}"#,
      #"{"do":"fault","kind":"cut","occasion":"next","count":0}"#,
      #"{"do":"fault","kind":"cut","occasion":"next","count":1000001}"#,
      #"{"do":"fault","kind":"cut","occasion":"each","count":1000001}"#,
      #"{"do":"fault","kind":"cut","occasion":"each","count":1e99}"#,
    ])
  func badCommand(_ command: String) async throws {
    #expect(try await post(command) == "HTTP/1.1 400 Bad Request")
    #expect(stand.apns.faults.lines.isEmpty && phone.isOn && phone.power == .battery)
  }

  @Test(
    "a request that is none is refused",
    arguments: [
      "GET / HTTP/1.0\r\nHost: HOST\r\n\r\n", "GET /\r\n\r\n", "GET http://HOST/ HTTP/1.1\r\n\r\n",
      "\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: HOST\r\nHost: HOST\r\n\r\n", "GET / HTTP/1.1\r\nHost HOST\r\n\r\n",
      "POST /PAGE/do HTTP/1.1\r\nHost: HOST\r\nTransfer-Encoding: chunked\r\n\r\n",
      "POST /PAGE/do HTTP/1.1\r\nHost: HOST\r\nContent-Length: -1\r\n\r\n",
    ])
  func malformed(_ request: String) async throws {
    #expect(try await Browser(page).exchange(request).hasPrefix("HTTP/1.1 400"))
  }

  @Test("what follows a request's body is not part of it")
  func pipelined() async throws {
    let command = #"{"do":"switch-off","phone":"Ada"}"#
    #expect(try await post(command, following: "GET / HTTP/1.1") == "HTTP/1.1 200 OK")
    #expect(!phone.isOn)
  }

  @Test("headers and bodies that are too long are refused")
  func tooLarge() async throws {
    let headers = "GET / HTTP/1.1\r\nHost: HOST\r\nX: " + String(repeating: "x", count: 9000) + "\r\n\r\n"
    #expect(try await Browser(page).exchange(headers).hasPrefix("HTTP/1.1 413"))
    let body = "POST /PAGE/do HTTP/1.1\r\nHost: HOST\r\nContent-Length: 99999999\r\n\r\n"
    #expect(try await Browser(page).exchange(body).hasPrefix("HTTP/1.1 413"))
  }

  @Test("a page that opens gets the pushes that came, and each one that comes")
  func events() async throws {
    try await send("before")
    let browser = try Browser(page)
    browser.send("GET /PAGE/events HTTP/1.1\r\nHost: HOST\r\n\r\n")
    let start = await browser.read(until: "before")
    #expect(
      start.contains("text/event-stream")
        && start.contains("event: state\ndata: {\"phones\":[{\"name\":\"Ada\""))
    try await send("after")
    // The text is also on the phone's screen.
    let change = await browser.read(until: #""number":2"#)
    #expect(change.contains("event: pushes\ndata: [{\"number\":2"))
    phone.switchOff()
    #expect(await browser.read(until: "\"on\":false").contains("event: state"))
  }

  @Test("what arrived stays within one line of an event")
  func lineBreaks() async throws {
    try await send(#"a\nevent: state\ndata: {}\n\n"#)
    let browser = try Browser(page)
    browser.send("GET /PAGE/events HTTP/1.1\r\nHost: HOST\r\n\r\n")
    let lines = await browser.read(until: "event: pushes\n").split(separator: "\n")
    #expect(lines.count { $0 == "event: state" } == 1)
  }

  @Test("a push's details are on demand, without the provider token")
  func details() async throws {
    try await send("<img src=x onerror=alert(1)>")
    let answer = try await get("/pushes/1")
    #expect(answer.contains("Content-Type: application/json") && answer.contains("onerror"))
    #expect(!answer.contains("bearer"))
    for path in [
      "/pushes/2", "/pushes/0", "/pushes/-1", "/pushes/", "/pushes/99999999999999999999", "/nothing",
    ] {
      #expect(try await get(path).hasPrefix("HTTP/1.1 404"), "\(path)")
    }
  }

  @Test("browsers that have gone make room for others")
  func oneBrowserAfterTheOther() async throws {
    for _ in 1...100 { #expect(try await get("/nothing").hasPrefix("HTTP/1.1 404")) }
  }

  @Test("more browsers than there may be get nothing")
  func manyBrowsers() async throws {
    var browsers: [Browser] = []
    for _ in 1...32 {
      let browser = try Browser(page)
      browser.send("GET /PAGE/events HTTP/1.1\r\nHost: HOST\r\n\r\n")
      _ = await browser.read(until: "event: start")
      browsers.append(browser)
    }
    #expect(try await get("/").isEmpty)
    withExtendedLifetime(browsers) { page.stop() }
  }

  @Test("a stopped page is gone, and so are its streams")
  func stop() async throws {
    let browser = try Browser(page)
    browser.send("GET /PAGE/events HTTP/1.1\r\nHost: HOST\r\n\r\n")
    _ = await browser.read(until: "event: start")
    page.stop()
    _ = await browser.read()
    #expect(throws: Browser.NotThere.self) { try Browser(page) }
  }
}
