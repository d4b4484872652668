import Foundation
import TestSupport
import Testing

@Suite("The headers of a push", .serialized)
struct HeadersTests {
  private static let messageID = "67e55044-10b1-426f-9247-bb680e5fe0c8"

  /// The lines of the file that `seal --headers` writes.
  private func headers(_ pair: Pair, _ options: String = "") async throws -> [String: String] {
    try await pair.tool.succeed(
      "\(pair.seal) --in payload.json --now \(start) --headers headers.txt --out sealed.json --force \(options)"
    )
    let text = String(decoding: try pair.tool.contents("headers.txt"), as: UTF8.self)
    #expect(text.hasSuffix("\n"))
    let fields = text.split(separator: "\n").map { line in
      let parts = line.split(separator: ":", maxSplits: 1)
      return (String(parts[0]), String(parts[1].dropFirst()))
    }
    return Dictionary(uniqueKeysWithValues: fields)
  }

  @Test func whatTheySay() async throws {
    let pair = try await Pair()
    let usual = try await headers(pair, "--message-id \(Self.messageID)")
    #expect(
      usual == [
        "apns-push-type": "alert", "apns-topic": "com.example.app", "apns-priority": "10",
        "apns-id": Self.messageID, "apns-collapse-id": Self.messageID,
        "apns-expiration": "\(start + 30 * day)",
      ])
    #expect(try await headers(pair, "--lifetime 1h")["apns-expiration"] == "\(start + 3600)")
    #expect(try await headers(pair, "--lifetime 0")["apns-expiration"] == "0")
    let call = try await headers(pair, "--push-type voip")
    #expect(call["apns-push-type"] == "voip" && call["apns-topic"] == "com.example.app.voip")
    let upper = try await headers(pair, "--message-id \(Self.messageID.uppercased())")
    #expect(upper["apns-id"] == Self.messageID)
    // Without an identity of the job's own, each message has another.
    #expect(try await headers(pair)["apns-id"] != (try await headers(pair)["apns-id"]))
  }

  @Test func aRetryIsTheSameMessage() async throws {
    let pair = try await Pair()
    let retry = "--message-id \(Self.messageID) --lifetime 1h --issued-at"
    #expect(try await headers(pair, "\(retry) \(start - 60)")["apns-expiration"] == "\(start + 3540)")
    let open = "\(pair.open) --in sealed.json --out opened.json --force --now"
    try await pair.tool.succeed("\(open) \(start + 3540 + 300)")
    try await pair.tool.refuse("\(open) \(start + 3540 + 301)", 65, "expired")
    // As it could not be opened, it is not sealed.
    let seal = "\(pair.seal) --in payload.json --now \(start) --out other.json \(retry)"
    for (time, words) in [(start + 301, "that is in the future"), (start - 3901, "has expired since")] {
      try await pair.tool.refuse("\(seal) \(time)", 65, words)
    }
  }

  /// One request, written down.
  private static let server = """
    import http.server, json
    class Recorder(http.server.BaseHTTPRequestHandler):
        protocol_version = 'HTTP/1.1'
        def do_POST(self):
            body = self.rfile.read(int(self.headers['Content-Length']))
            record = {'path': self.path, 'headers': {k.lower(): v for k, v in self.headers.items()}, 'body': body.hex()}
            json.dump(record, open('request.json', 'w'))
            self.send_response(200)
            self.send_header('Content-Length', '0')
            self.end_headers()
        def log_message(self, *arguments): pass
    server = http.server.HTTPServer(('127.0.0.1', 0), Recorder)
    server.timeout = 20
    print(server.server_port, flush=True)
    server.handle_request()
    """

  @Test func curlSendsThem() async throws {
    let pair = try await Pair()
    let tool = pair.tool
    guard try await tool.shell("command -v curl && command -v python3").status == 0 else {
      return print("Not tested: there is no curl or no python3.")
    }
    let headers = try await headers(pair, "--message-id \(Self.messageID)")
    let surroundings = try tool.surroundings()
    let server = try Child(["python3", "-c", Self.server], in: surroundings)
    let url = "http://127.0.0.1:\(try await port(surroundings.output))/3/device/abc"
    let sent = try await tool.execute(
      ["curl", "-sS", "--max-time", "20", "-H", "@headers.txt", "--data-binary", "@sealed.json", url])
    #expect(sent.status == 0, "\(sent.errors)")
    #expect(try await server.wait() == .exited(0))

    struct Request: Decodable {
      let path: String
      let headers: [String: String]
      let body: String
    }
    let request = try JSONDecoder().decode(Request.self, from: Data(tool.contents("request.json")))
    #expect(request.path == "/3/device/abc")
    for (name, value) in headers { #expect(request.headers[name] == value, "\(name)") }
    let body = try tool.contents("sealed.json").map { String(format: "%02x", $0) }.joined()
    #expect(request.body == body)
  }

  /// The port that the server says.
  private func port(_ path: String) async throws -> Int {
    var text = ""
    try await HangGuard.wait(for: "the server's port") {
      text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
      return text.hasSuffix("\n")
    }
    return try #require(Int(text.dropLast()))
  }
}
