import Foundation
import Glibc
import TestSupport
import Testing

@Suite("Sending through an HTTP proxy", .hangGuard)
struct SendThroughProxyTests {
  private static let payload = #"{"aps":{"alert":{"title":"Ada","body":"Lunch at noon?"}}}"#

  /// A name that only the proxy knows.
  private static let host = "apns.invalid"

  private static let keys =
    "--from sender.jwks --topic com.example.app --key-file AuthKey_ABCDE12345.p8 --key-id ABCDE12345 "
    + "--team-id FGHIJ67890"

  /// Sends a push with these variables in the environment, to a server that the certificate has.
  private func send(
    _ scene: StandInScene, _ environment: [String: String], _ words: String = "", host: String = host
  ) async throws -> Run {
    let line =
      "send \(Self.keys) --endpoint \(host):\(scene.port) --trust apns-root.pem --to device.pub.jwks "
      + "--token \(scene.token) --sandbox --timeout 1s \(words)"
    let words = [Tool.daemon] + line.split(separator: " ").map(String.init)
    return try await scene.tool.execute(words, input: .text(Self.payload), environment: environment)
  }

  private func scene() async throws -> (apns: StandInScene, proxy: LoopbackProxy, url: String) {
    let apns = try await StandInScene(try Tool(), "--host \(Self.host)")
    let proxy = try LoopbackProxy(to: UInt16(apns.port))
    return (apns, proxy, "http://127.0.0.1:\(proxy.port)")
  }

  @Test("a push goes through the proxy of the environment, which gets the user and the password")
  func story() async throws {
    let (apns, proxy, _) = try await scene()
    let url = "http://ada:se%20cret@127.0.0.1:\(proxy.port)"
    let run = try await send(apns, ["HTTPS_PROXY": url])
    #expect(run.status == 0 && run.text.hasPrefix("accepted by APNs: "), "\(run.errors)")
    #expect(try await apns.shows("Lunch at noon?"))
    let request = try #require(proxy.requests.first)
    #expect(proxy.requests.count == 1 && request.hasPrefix("CONNECT apns.invalid:\(apns.port) HTTP/1.1\r\n"))
    #expect(request.contains("\r\nProxy-Authorization: Basic YWRhOnNlIGNyZXQ=\r\n"))
    proxy.stop()
    try await apns.end()
  }

  @Test("as for curl, the variable in lower case wins and an empty one counts for nothing; an option wins")
  func precedence() async throws {
    let (apns, proxy, url) = try await scene()
    let dead = try "http://127.0.0.1:\(LoopbackProxy.closedPort())"
    #expect(try await send(apns, ["https_proxy": url, "HTTPS_PROXY": dead]).status == 0)
    #expect(try await send(apns, ["https_proxy": "", "HTTPS_PROXY": url]).status == 0)
    #expect(try await send(apns, ["https_proxy": dead], "--proxy \(url)").status == 0)
    #expect(proxy.requests.count == 3)
    let lost = try await send(apns, ["https_proxy": dead, "HTTPS_PROXY": url])
    let text = "the proxy \(dead.dropFirst(7)) cannot be reached: connect: Connection refused"
    #expect(lost.status == 75 && lost.errors.contains(text), "\(lost.errors)")
    proxy.stop()
    try await apns.end()
  }

  @Test("without a proxy, the machine itself must know the server's name")
  func direct() async throws {
    let (apns, proxy, url) = try await scene()
    let unknown = "sealpushd: error: --endpoint: there is no host 'apns.invalid'\n"
    let ways: [([String: String], String)] = [
      (["no_proxy": "invalid"], ""), (["NO_PROXY": " .example.com, .invalid:\(apns.port)"], ""),
      ([:], "--proxy none"), (["no_proxy": "*"], "--proxy \(url)"),
    ]
    for (variables, option) in ways {
      let run = try await send(apns, variables.merging(["https_proxy": url]) { $1 }, option)
      #expect(run.status == 64 && run.errors == unknown, "\(variables) \(option): \(run.errors)")
    }
    #expect(proxy.requests.isEmpty)
    let other = ["https_proxy": url, "no_proxy": "example.com", "NO_PROXY": "*"]
    #expect(try await send(apns, other).status == 0)
    #expect(proxy.requests.count == 1)
    proxy.stop()
    try await apns.end()
  }

  @Test("a route's own proxy takes the place of the environment's, and its password is in a file of its own")
  func route() async throws {
    let (apns, proxy, _) = try await scene()
    let dead = try "http://127.0.0.1:\(LoopbackProxy.closedPort())"
    func send(_ member: String) async throws -> Run {
      let entry = #"{"team_id":"FGHIJ67890","key_file":"AuthKey_ABCDE12345.p8",\#(member)}"#
      try apns.tool.write(#"{"routes":[\#(entry)]}"#, to: "routes.json")
      let line =
        "send --from sender.jwks --topic com.example.app --routes routes.json --endpoint \(Self.host):\(apns.port) "
        + "--trust apns-root.pem --to device.pub.jwks --token \(apns.token) --sandbox --timeout 1s"
      let words = [Tool.daemon] + line.split(separator: " ").map(String.init)
      return try await apns.tool.execute(
        words, input: .text(Self.payload), environment: ["HTTPS_PROXY": dead])
    }
    try apns.tool.write("http://ada:se%20cret@127.0.0.1:\(proxy.port)\n", to: "own.proxy")
    try apns.tool.setMode(0o600, of: "own.proxy")
    let run = try await send(#""proxy_file":"own.proxy""#)
    #expect(run.status == 0, "\(run.errors)")
    #expect(proxy.requests.count == 1)
    #expect(proxy.requests.first?.contains("\r\nProxy-Authorization: Basic YWRhOnNlIGNyZXQ=\r\n") == true)
    let direct = try await send(#""proxy":"none""#)
    #expect(direct.status == 64 && direct.errors.contains("there is no host"), "\(direct.errors)")
    try apns.tool.setMode(0o644, of: "own.proxy")
    let exposed = try await send(#""proxy_file":"own.proxy""#)
    #expect(exposed.status == 77 && !exposed.errors.contains("cret"), "\(exposed.errors)")
    proxy.stop()
    try await apns.end()
  }

  @Test("a stand-in on this machine is reached without the proxy", arguments: ["127.0.0.1", "localhost"])
  func loopback(host: String) async throws {
    let (apns, proxy, url) = try await scene()
    let run = try await send(apns, ["HTTPS_PROXY": url], host: host)
    #expect(run.status == 0 && proxy.requests.isEmpty, "\(run.errors)")
    proxy.stop()
    try await apns.end()
  }

  @Test("a proxy that refuses the password is named, with the status, and the password is not")
  func refused() async throws {
    let apns = try await StandInScene(try Tool(), "--host \(Self.host)")
    let proxy = try LoopbackProxy { _ in .close(saying: "HTTP/1.1 407 no\r\n\r\n") }
    let place = "127.0.0.1:\(proxy.port)"
    let run = try await send(apns, ["HTTPS_PROXY": "http://ada:hidden@\(place)"])
    let text = "the proxy \(place) refuses the user or the password (status 407)"
    #expect(run.status == 75 && run.output.isEmpty, "\(run.errors)")
    #expect(run.errors.hasPrefix("sealpushd: no connection: \(text); trying again"), "\(run.errors)")
    #expect(run.errors.contains("no connection to APNs: \(text)"), "\(run.errors)")
    #expect(!run.errors.contains("hidden") && !run.errors.contains("ada:"))
    proxy.stop()
    try await apns.end()
  }

  @Test(
    "what is no HTTP proxy is refused before anything is sent, without showing it",
    arguments: [
      ("--proxy http://ada:hidden@proxy:3128", [:], "--proxy takes no user and no password: "),
      ("--proxy ada@proxy:3128", [:], "--proxy takes no user and no password: "),
      ("--proxy https://proxy:3128", [:], "--proxy: not the URL of an HTTP proxy"),
      ("--proxy proxy", [:], "--proxy: not the URL of an HTTP proxy"),
      ("", ["HTTPS_PROXY": "socks5://ada:hidden@proxy:1080"], "the environment's HTTPS_PROXY: not the URL"),
      ("", ["https_proxy": "http://ada:hid/den@proxy:1080"], "the environment's https_proxy: not the URL"),
    ] as [(String, [String: String], String)])
  func wrong(words: String, environment: [String: String], message: String) async throws {
    let tool = try Tool()
    try await tool.makeSendersKeys()
    let line = "send \(Self.keys) --to sender.pub.jwks --token 00ff \(words)"
    let run = try await tool.execute(
      [Tool.daemon] + line.split(separator: " ").map(String.init), input: .text(Self.payload),
      environment: environment)
    #expect(run.status == 64 && run.output.isEmpty, "\(run.errors)")
    #expect(run.errors.hasPrefix("sealpushd: error: \(message)"), "\(run.errors)")
    #expect(!run.errors.contains("hid") && !run.errors.contains("den@"), "\(run.errors)")
  }

  @Test("a worker says through which proxy it sends, and keeps no password in its environment")
  func worker() async throws {
    let scene = try await WorkScene(phone: "--host \(Self.host)")
    try await scene.enrol()
    try await scene.enqueue(["Lunch?"])
    let proxy = try LoopbackProxy(to: UInt16(scene.apns.port))
    let place = "127.0.0.1:\(proxy.port)"
    let line =
      "work \(scene.store) --from sender.jwks --key-file AuthKey_ABCDE12345.p8 --key-id ABCDE12345 "
      + "--team-id FGHIJ67890 --endpoint \(Self.host):\(scene.apns.port) --trust apns-root.pem"
    let surroundings = try scene.tool.surroundings(environment: ["https_proxy": "http://ada:hidden@\(place)"])
    let child = try Child([Tool.daemon] + line.split(separator: " ").map(String.init), in: surroundings)
    #expect(try await scene.apns.shows("Lunch?"))
    let environment = FileManager.default.contents(atPath: "/proc/\(child.processID)/environ")
    // Only root may look at a worker's.
    if let environment { #expect(!String(decoding: environment, as: UTF8.self).contains("hidden")) }
    child.send(SIGTERM)
    #expect(try await child.wait() == .exited(0))
    let log = try String(contentsOfFile: surroundings.errors, encoding: .utf8)
    #expect(log.contains(#""event":"started","proxy":"\#(place)"}"#) && !log.contains("hidden"), "\(log)")
    #expect(proxy.requests.count == 1)
    proxy.stop()
    try await scene.end()
  }
}
