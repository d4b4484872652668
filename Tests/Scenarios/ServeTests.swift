import Foundation
import Glibc
import PushCore
import PushEnrolment
import PushKeys
import TestSupport
import Testing

@Suite("The enrolment service, on the command line", .hangGuard)
struct ServeTests {
  /// Runs a service that must not start.
  private func refuses(_ line: String, in tool: Tool, status: Int32, _ message: String) async throws {
    let run = try await tool.daemon(line)
    #expect(
      run.status == status && run.output.isEmpty && run.errors.contains(message), "\(line): \(run.errors)")
  }

  @Test("a phone enrols with a challenge, proves its keys, and signs out")
  func story() async throws {
    let serve = try await ServeScene()
    let (worker, _) = try await serve.scene.start(Tool.audience)
    let issued = try await serve.challenge()
    #expect(issued.status == 200 && issued.body.contains(#""seconds":600"#))
    let challenge = try #require(issued.member("challenge"))
    let name = try #require(issued.member("registration"))
    let pending = try await serve.enrol(serve.enrolment(challenge: challenge), as: name)
    #expect(pending.status == 200 && pending.member("answer") == "pending", "\(pending.body)")
    // The answer can be asked for again.
    let id = try #require(pending.member("id"))
    let same = try await serve.get("/v1/enrolments/\(id)")
    #expect(same.member("answer") == "pending")
    let account = try #require(pending.member("account"))
    #expect(account.utf8.count == 22 && same.member("account") == account)

    let push = try await serve.scene.apns.pushes(1)[0]
    try serve.tool.write(try await serve.scene.apns.payload(of: push), to: "request")
    let taken = try await serve.enrol(serve.enrolment(answering: "request"), as: name)
    #expect(taken.member("answer") == "registered" && taken.member("account") == account, "\(taken.body)")
    let again = try await serve.challenge(members: #","registration":"\#(name)""#)
    #expect(again.member("registration") == name)

    let left = try await serve.post("/v1/sign-out", #"{"registration":"\#(name)"}"#)
    #expect(left.status == 200 && left.member("removed") == name)
    #expect(try await serve.scene.daemon("devices").text.isEmpty)
    worker.send(SIGTERM)
    _ = try await worker.wait()
    try await serve.end()
  }

  @Test("ends with 75 and says so when its store is deleted")
  func storeDeleted() async throws {
    let serve = try await ServeScene()
    try #require(unsafe unlink(serve.tool.path("push.sqlite")) == 0)
    #expect(try await serve.ended() == .exited(75))
    #expect(try serve.logged.contains("push.sqlite is no longer the file that was opened"))
    try await serve.scene.end()
  }

  @Test("a request without the proxy's secret gets nothing")
  func secret() async throws {
    let serve = try await ServeScene()
    let rest = Array(ServeScene.headers().dropFirst())
    let wrong = String(ServeScene.secret.dropLast()) + "0"
    for secrets in [[], [wrong], [""], [ServeScene.secret, ServeScene.secret], [ServeScene.secret + ","]] {
      let headers = rest + secrets.map { ("SealedPush-Secret", $0) }
      for path in ["/v1/health", "/v1/senders/com.example.app", "/v1/enrolments/1", "/"] {
        let answer = try await serve.get(path, headers)
        #expect(answer.status == 401 && answer.body == #"{"error":"unauthorized"}"# + "\n")
      }
      #expect(try await serve.challenge(headers).status == 401)
    }
    #expect(try await serve.get("/v1/health").status == 200)
    #expect(try !serve.logged.contains(ServeScene.secret.prefix(16)))
    try await serve.end()
  }

  @Test("two secrets are valid while the proxy's changes, and SIGHUP makes it known")
  func newSecret() async throws {
    let next = String(repeating: "next", count: 8)
    let serve = try await ServeScene("--secret-file next.secret") { try $0.write(next, to: "next.secret") }
    func status(_ secret: String) async throws -> Int {
      try await serve.get("/v1/health", [("SealedPush-Secret", secret)]).status
    }
    #expect(try await status(ServeScene.secret) == 200)
    #expect(try await status(next) == 200)
    try serve.tool.write("short", to: "proxy.secret")
    serve.send(SIGHUP)
    try await HangGuard.wait(for: "the log") { try serve.logged.contains(#""event":"secrets-kept""#) }
    #expect(try await status(ServeScene.secret) == 200)
    try serve.tool.write(next, to: "proxy.secret")
    serve.send(SIGHUP)
    try await HangGuard.wait(for: "the secrets") { try serve.logged.contains(#""event":"secrets-read""#) }
    #expect(try await status(ServeScene.secret) == 401)
    #expect(try await status(next) == 200)
    try await serve.end()
  }

  @Test(
    "a header of the login that is missing, empty, repeated, joined or wrong is refused",
    arguments: ["SealedPush-Person", "SealedPush-Login", "SealedPush-Login-Time"])
  func identity(name: String) async throws {
    let serve = try await ServeScene()
    let (own, rest) = (
      ServeScene.headers().filter { $0.0 == name }, ServeScene.headers().filter { $0.0 != name }
    )
    for headers in [
      [], own + own, own + [(name, "eve")], own + [(name.lowercased(), "")], [(name, "")],
      [(name, "ada,eve")],
      [(name, own[0].1 + ",")], [(name, String(repeating: "1", count: 256))],
    ] {
      #expect(try await serve.challenge(rest + headers).status == 401, "\(headers)")
    }
    #expect(try await serve.challenge(rest + own).status == 200)
    try await serve.end()
  }

  @Test("a login that begins in the future, as one in milliseconds does, is refused")
  func futureLogin() async throws {
    let serve = try await ServeScene()
    let headers = ServeScene.headers().dropLast() + [("SealedPush-Login-Time", "1700000000000")]
    #expect(try await serve.challenge(Array(headers)).status == 401)
    try await serve.end()
  }

  @Test("a web page changes nothing")
  func page() async throws {
    let serve = try await ServeScene()
    let json = #"{"topic":"com.example.app","mode":"replace"}"#
    let length = [("Content-Length", "\(json.utf8.count)")]
    let own = ServeScene.ownHeaders
    func status(_ headers: [(String, String)]) async throws -> Int {
      let request = ServeScene.request("POST /v1/challenges", ServeScene.headers() + length + headers)
      return try await serve.exchange(request + json).status
    }
    #expect(try await status(own) == 200)
    #expect(try await status(own + [("Origin", "https://push.example.com")]) == 403)
    #expect(try await status(own + [("Origin", "null")]) == 403)
    #expect(try await status([own[0]]) == 403)
    #expect(try await status([own[1]]) == 415)
    #expect(try await status([own[1], ("Content-Type", "text/plain")]) == 415)
    #expect(try await status([own[1], ("Content-Type", "application/json; charset=utf-8")]) == 200)
    #expect(try await serve.get("/v1/challenges").status == 405)
    try await serve.end()
  }

  @Test(
    "heads of more than 8 KiB and bodies of more than 32 KiB are refused, as are those whose end is unclear")
  func sizes() async throws {
    let serve = try await ServeScene()
    let headers = ServeScene.headers() + ServeScene.ownHeaders
    func status(_ more: [(String, String)], body: String = "") async throws -> Int {
      try await serve.exchange(ServeScene.request("POST /v1/challenges", headers + more) + body).status
    }
    #expect(try await status([("X", String(repeating: "x", count: 9 << 10))]) == 413)
    #expect(try await status([("Content-Length", "32769")]) == 413)
    let large = String(repeating: " ", count: 32 << 10)
    #expect(try await status([("Content-Length", "32768")], body: large) == 400)
    let chunked = ("Transfer-Encoding", "chunked")
    #expect(try await status([chunked], body: "0\r\n\r\n") == 400)
    #expect(try await status([("Content-Length", "5"), chunked], body: "0\r\n\r\n") == 400)
    #expect(try await status([("Content-Length", "1"), ("Content-Length", "1")], body: "{") == 400)
    #expect(try await status([("X", "a\nSealedPush-Person: eve")]) == 400)
    try await serve.end()
  }

  @Test("somebody else's registration and one that is not there look alike")
  func others() async throws {
    let serve = try await ServeScene()
    try await serve.scene.enrol()
    let eve = ServeScene.headers("eve", login: "login 2")
    let enrolment = try await serve.enrolment()
    let answers = try await [
      serve.post("/v1/sign-out", #"{"registration":"ada-1"}"#, eve),
      serve.post("/v1/sign-out", #"{"registration":"ada-2"}"#, eve),
      serve.challenge(eve, members: #","registration":"ada-1""#),
      serve.challenge(eve, members: #","registration":"ada-2""#),
      serve.enrol(enrolment, as: "ada-1", eve), serve.enrol(enrolment, as: "ada-2", eve),
      serve.get("/v1/enrolments/1", eve), serve.get("/v1/senders/com.example.other", eve),
      serve.get("/v1/other", eve),
    ]
    for answer in answers { #expect(answer.status == 404 && answer.body == answers[0].body) }
    #expect(Set(answers.map(\.head)).count == 1)
    #expect(try await serve.scene.daemon("devices").lines.count == 2)
    // Her own enrolment is nobody else's to ask for.
    let own = try await serve.enrol(enrolment, as: "ada-1")
    #expect(own.status == 202)
    let id = try #require(own.member("id"))
    #expect(try await serve.get("/v1/enrolments/\(id)", eve).body == answers[0].body)
    try await serve.end()
  }

  @Test("a device leaves without a login, and nobody learns whether it was there")
  func leave() async throws {
    let serve = try await ServeScene(Tool.audience)
    try await serve.scene.enrol()
    let sign = "keys leave --keys device.jwks --topic com.example.app"
    let leave = try await serve.tool.succeed("\(sign) \(Tool.audience)").text
    let secret = Array(ServeScene.headers().prefix(1))
    #expect(try await serve.post("/v1/leave", leave, Array(ServeScene.headers().dropFirst())).status == 401)
    let bare = secret + [("Content-Length", "\(leave.utf8.count)"), ("Content-Type", "application/json")]
    #expect(try await serve.exchange(ServeScene.request("POST /v1/leave", bare) + leave).status == 403)
    #expect(try await serve.get("/v1/leave", secret).status == 405)
    let other = try await serve.tool.succeed("\(sign) --audience https://other.example.com").text
    let refused = try await serve.post("/v1/leave", other, secret)
    #expect(refused.member("answer") == "refused" && refused.member("reason") == "other-audience")
    #expect(try await serve.post("/v1/leave", "{}", secret).member("reason") == "unsupported-version")
    #expect(try await serve.scene.daemon("devices").lines.count == 2)

    let gone = try await serve.post("/v1/leave", leave, secret)
    #expect(gone.status == 200 && gone.member("answer") == "removed", "\(gone.body)")
    #expect(try await serve.scene.daemon("devices").text.isEmpty)
    let again = try await serve.post("/v1/leave", leave, secret)
    #expect(again.head == gone.head && again.body == gone.body)
    try await serve.end()
  }

  /// A receipt as the phone's app signs it.
  private func receipt(
    of messages: [MessageID], in serve: ServeScene, topic: String = "com.example.app",
    audience: String = "https://push.example.com"
  ) throws -> String {
    let keys = KeyFolder(path: serve.tool.folder, device: "device.jwks", identity: "identity.jwks")
    let receipt = try #require(try keys.receipt(of: messages, Topic(topic), for: Audience(audience)))
    return String(decoding: receipt.encoded(), as: UTF8.self)
  }

  @Test("a device says without a login what it has shown, and nobody learns what the store knows")
  func receipts() async throws {
    let serve = try await ServeScene(Tool.audience)
    try await serve.scene.enrol()
    let message = try MessageID("0b54a2c5-3f5b-4f0e-9d7c-3a3c1a4e8f10")
    _ = try await serve.scene.daemon(
      "enqueue --person ada-lovelace --outcome --message-id \(message)",
      input: .text(#"{"aps":{"alert":"Lunch?"}}"#))
    #expect(try await serve.scene.workOnce().status == 0)
    let keys = KeyFolder(path: serve.tool.folder, device: "device.jwks", identity: "identity.jwks")
    let own = message.derived(for: try #require(try keys.identity(at: .now)))

    let receipt = try receipt(of: [own, .random()], in: serve)
    let secret = Array(ServeScene.headers().prefix(1))
    let path = "/v1/receipts"
    #expect(try await serve.post(path, receipt, Array(ServeScene.headers().dropFirst())).status == 401)
    let bare = secret + [("Content-Length", "\(receipt.utf8.count)"), ("Content-Type", "application/json")]
    #expect(try await serve.exchange(ServeScene.request("POST \(path)", bare) + receipt).status == 403)
    #expect(try await serve.get(path, secret).status == 405)
    for (json, reason) in [
      (try self.receipt(of: [own], in: serve, audience: "https://other.example.com"), "other-audience"),
      (try self.receipt(of: [own], in: serve, topic: "com.example.other"), "other-topic"),
      ("{}", "unsupported-version"), (#"{"v":1,"receipt":1}"#, "malformed-receipt"),
      (receipt.replacing(#""receipt""#, with: #""leave""#), "malformed-receipt"),
    ] {
      let refused = try await serve.post(path, json, secret)
      #expect(refused.status == 200 && refused.member("answer") == "refused", "\(refused.body)")
      #expect(refused.member("reason") == reason)
    }
    let unshown = try await serve.scene.daemon("queue outcome \(message) --json").text
    #expect(unshown.contains(#""outcome":"accepted""#) && !unshown.contains("shown_at"))

    let taken = try await serve.post(path, receipt, secret)
    #expect(taken.status == 200 && taken.member("answer") == "taken", "\(taken.body)")
    let shown = try await serve.scene.daemon("queue outcome \(message) --json").text
    #expect(shown.contains(#""outcome":"accepted""#) && shown.contains(#""shown_at":"#))
    let unknown = try await serve.post(path, self.receipt(of: [.random()], in: serve), secret)
    #expect(unknown.head == taken.head && unknown.body == taken.body)
    try await serve.end()
  }

  @Test("as many messages as a receipt may have fit into a request")
  func manyReceipts() async throws {
    let serve = try await ServeScene(Tool.audience)
    try await serve.scene.enrol()
    let receipt = try receipt(of: (0..<500).map { _ in .random() }, in: serve)
    #expect(try await serve.post("/v1/receipts", receipt).member("answer") == "taken")
    try await serve.end()
  }

  @Test("a service without a name takes no leave and no receipt")
  func nameless() async throws {
    let serve = try await ServeScene()
    #expect(try await serve.post("/v1/leave", "{}").status == 404)
    #expect(try await serve.post("/v1/receipts", "{}").status == 404)
    try await serve.end()
  }

  @Test("a challenge is for one login and one registration")
  func challenges() async throws {
    let serve = try await ServeScene()
    let issued = try await serve.challenge()
    let name = try #require(issued.member("registration"))
    let enrolment = try await serve.enrolment(challenge: issued.member("challenge"))
    let other = try #require(try await serve.challenge().member("registration"))
    #expect(try await serve.enrol(enrolment, as: other).status == 404)
    #expect(try await serve.enrol(enrolment, as: name, ServeScene.headers(login: "login 2")).status == 404)
    #expect(try await serve.enrol(enrolment, as: name, ServeScene.headers("eve")).status == 404)
    #expect(try await serve.enrol(serve.enrolment(challenge: "made-up"), as: name).status == 404)
    // Nobody answers it, so it can be asked for later.
    let waiting = try await serve.enrol(enrolment, as: name)
    #expect(waiting.status == 202 && waiting.head.contains("Retry-After: 1"))
    for _ in 0..<8 { #expect(try await serve.challenge().status == 200) }
    let tooMany = try await serve.challenge()
    #expect(tooMany.status == 429 && tooMany.head.contains("Retry-After: 3"), "\(tooMany.head)")
    #expect(try await serve.challenge(ServeScene.headers("eve")).status == 200)
    try await serve.end()
  }

  @Test("what no worker would accept does not get into the store")
  func junk() async throws {
    let serve = try await ServeScene()
    let enrolment = try await serve.enrolment()
    for (json, reason) in [
      ("{}", "unsupported-version"), (enrolment.replacing("sandbox", with: "production"), "mismatch"),
    ] {
      let answer = try await serve.enrol(json, as: "ada-1")
      #expect(answer.member("answer") == "refused" && answer.member("reason") == reason, "\(answer.body)")
    }
    for body in [
      "", "[]", "{", #"{"registration":"a"}"#, #"{"registration":"","enrolment":{}}"#, #"{"enrolment":{}}"#,
    ] {
      #expect(try await serve.post("/v1/enrolments", body).status == 400, "\(body)")
    }
    #expect(try await serve.get("/v1/health").body.contains(#""waiting":0"#))
    try await serve.end()
  }

  @Test("the current set of senders is served with an entity tag, and read again when it changes")
  func senders() async throws {
    let serve = try await ServeScene()
    let path = "/v1/senders/com.example.app"
    let first = try await serve.get(path)
    let set = String(decoding: try serve.tool.contents("senders.jws"), as: UTF8.self)
    #expect(first.status == 200 && first.body + "\n" == set)
    let tag = try #require(first.head.firstMatch(of: #/ETag: (\S+)/#)).1
    let known = try await serve.get(path, ServeScene.headers() + [("If-None-Match", #""a", W/\#(tag)"#)])
    #expect(known.status == 304 && known.body.isEmpty && known.head.contains("ETag: \(tag)"))
    try serve.tool.write("no set", to: "senders.jws")
    #expect(try await serve.get(path).body == first.body)
    #expect(try serve.logged.contains(#""event":"senders-kept""#))
    try await serve.tool.succeed(
      """
      keys sign-senders --keys root.jwks --senders sender.pub.jwks --topic com.example.app --out senders.jws --force \
      --expires 30d
      """)
    let next = try await serve.get(path, ServeScene.headers() + [("If-None-Match", String(tag))])
    #expect(next.status == 200 && next.body != first.body)
    try await serve.end()
  }

  @Test("more than 256 connections at once are refused, and there is room again when they have gone")
  func connections() async throws {
    let serve = try await ServeScene()
    let request = ServeScene.request("GET /v1/health", ServeScene.headers())
    var visits: [ServeScene.Visit] = []
    // On a slow machine the first of them have been silent for so long when the last one comes that they make room.
    try await HangGuard.wait(for: "a refusal") {
      visits = []
      visits = try (0..<256).map { _ in try ServeScene.Visit(at: serve.port) }
      return try await serve.exchange(request).status == 503
    }
    // They have said nothing, and end.
    #expect(visits.count == 256)
    visits = []
    try await HangGuard.wait(for: "room") { try await serve.exchange(request).status == 200 }
    try await serve.end()
  }

  @Test("it listens on this machine alone, and at no path that others may take")
  func addresses() async throws {
    let tool = try Tool()
    try tool.write(ServeScene.secret, to: "proxy.secret")
    let line = "serve --store push.sqlite --secret-file proxy.secret --topic com.example.app --listen"
    for address in [
      "0.0.0.0:80", "8480", "localhost:8480", "[::1]:8480", "127.0.0.1:", "127.0.0.1:99999", "unix:",
    ] {
      try await refuses("\(line) \(address)", in: tool, status: 64, "--listen")
    }
    _ = try await tool.execute(["mkdir", "-m", "0770", "open"])
    try await refuses("\(line) unix:open/socket", in: tool, status: 77, "others can write to the folder open")
    try await refuses("\(line) unix:none/socket", in: tool, status: 66, "there is no folder none")
  }

  @Test("a secret is long, in a file of its owner's alone, and there are two at most")
  func secretFiles() async throws {
    let tool = try Tool()
    try tool.write(ServeScene.secret, to: "proxy.secret")
    try tool.write("short", to: "short.secret")
    try tool.write(ServeScene.secret, to: "open.secret")
    try tool.setMode(0o644, of: "open.secret")
    let line = "serve --store push.sqlite --topic com.example.app --listen 127.0.0.1:0 --secret-file"
    try await refuses("\(line) short.secret", in: tool, status: 65, "short.secret is not a secret")
    try await refuses("\(line) open.secret", in: tool, status: 77, "open.secret")
    let more = String(repeating: " --secret-file proxy.secret", count: 2)
    try await refuses("\(line) proxy.secret\(more)", in: tool, status: 64, "at most twice")
  }

  @Test("at a path, the proxy's group may connect, and a socket that was left is replaced")
  func path() async throws {
    let tool = try Tool()
    try tool.write(ServeScene.secret, to: "proxy.secret")
    _ = try await tool.execute(["mkdir", "-m", "0750", "run"])
    let line =
      "serve --store push.sqlite --topic com.example.app --listen unix:run/socket --secret-file proxy.secret"
    let words = [Tool.daemon] + line.split(separator: " ").map(String.init)
    for signal in [SIGKILL, SIGTERM] {
      let surroundings = try tool.surroundings()
      let child = try Child(words, in: surroundings)
      try await HangGuard.wait(for: "the service") {
        try #require(child.check() == nil)
        return try String(contentsOfFile: surroundings.errors, encoding: .utf8).contains(#""started""#)
      }
      #expect(try tool.mode(of: "run/socket") & 0o777 == 0o660)
      let answer = try await tool.execute([
        "curl", "-sS", "--unix-socket", "run/socket", "-H", "SealedPush-Secret: \(ServeScene.secret)",
        "http://push/v1/health",
      ])
      #expect(answer.text == #"{"status":"ok","waiting":0}"# + "\n")
      // Another one finds it in use.
      try await refuses(line, in: tool, status: 1, "Address already in use")
      child.send(signal)
      _ = try await child.wait()
    }
    #expect(!FileManager.default.fileExists(atPath: tool.path("run/socket")))
  }
}
