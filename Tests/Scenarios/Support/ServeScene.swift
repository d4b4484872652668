import Foundation
import Glibc
import TestSupport
import Testing

/// A service, as its proxy sees it, with the store and the phone of a `WorkScene`.
final class ServeScene {
  /// The line of the secret's file.
  static let secret = String(repeating: "0123456789abcdef", count: 4)

  let scene: WorkScene
  let port: UInt16
  let log: String
  private let child: Child
  var tool: Tool { scene.tool }

  /// Starts a service for com.example.app, with a signed set of senders.
  init(_ options: String = "", prepare: (Tool) throws -> Void = { _ in }) async throws {
    scene = try await WorkScene()
    let tool = scene.tool
    try prepare(tool)
    try tool.write("\(Self.secret)\n", to: "proxy.secret")
    try await tool.succeed("keys new --role root --out root.jwks")
    try await tool.succeed(
      "keys sign-senders --keys root.jwks --senders sender.pub.jwks --topic com.example.app --out senders.jws"
    )
    let line =
      "serve \(scene.store) --listen 127.0.0.1:0 --secret-file proxy.secret --senders senders.jws \(options)"
    let surroundings = try tool.surroundings()
    let child = try Child([Tool.daemon] + line.split(separator: " ").map(String.init), in: surroundings)
    self.child = child
    log = surroundings.errors
    try await HangGuard.wait(for: "the service") { [log] in
      try #require(child.check() == nil)
      return try Self.text(of: log).contains(#""started""#)
    }
    let listening = try #require(try Self.text(of: log).firstMatch(of: #/"listen":"127\.0\.0\.1:(\d+)"/#))
    port = try #require(UInt16(listening.1))
  }

  private static func text(of path: String) throws -> String {
    try String(contentsOfFile: path, encoding: .utf8)
  }

  /// What it has logged.
  var logged: String { get throws { try Self.text(of: log) } }

  func send(_ signal: Int32) { child.send(signal) }

  /// Waits for its end, which comes by itself.
  func ended() async throws -> Child.Ending { try await child.wait() }

  /// Stops the service.
  func end() async throws {
    child.send(SIGTERM)
    #expect(try await child.wait() == .exited(0))
    try await scene.end()
  }

  // MARK: Requests

  /// What the service answers.
  struct Answer {
    let status: Int
    let head: String
    let body: String

    /// A member of the body that is a string.
    func member(_ name: String) -> String? {
      let object = try? JSONSerialization.jsonObject(with: Data(body.utf8)) as? [String: Any]
      return object?[name] as? String
    }
  }

  /// The headers that a proxy sets for a login.
  static func headers(_ person: String = "ada-lovelace", login: String = "login 1") -> [(String, String)] {
    [
      ("SealedPush-Secret", secret), ("SealedPush-Person", person), ("SealedPush-Login", login),
      ("SealedPush-Login-Time", "1700000000"),
    ]
  }

  /// The headers of a request that has a body.
  static let ownHeaders = [("Content-Type", "application/json"), ("SealedPush-Request", "1")]

  func get(_ path: String, _ headers: [(String, String)] = ServeScene.headers()) async throws -> Answer {
    try await exchange(Self.request("GET \(path)", headers))
  }

  func post(
    _ path: String, _ json: String, _ headers: [(String, String)] = ServeScene.headers()
  ) async throws -> Answer {
    let length = [("Content-Length", "\(json.utf8.count)")]
    return try await exchange(Self.request("POST \(path)", headers + Self.ownHeaders + length) + json)
  }

  static func request(_ line: String, _ headers: [(String, String)]) -> String {
    "\(line) HTTP/1.1\r\nHost: push\r\n" + headers.map { "\($0): \($1)\r\n" }.joined() + "\r\n"
  }

  /// Says something to the service, and returns what it answers to the end.
  func exchange(_ request: String) async throws -> Answer {
    try await Visit(at: port).exchange(request)
  }

  /// A connection with the service, which is closed when it is released.
  final class Visit: Sendable {
    private let descriptor: CInt

    init(at port: UInt16) throws { descriptor = try #require(LoopbackSocket.connected(to: port)) }

    deinit { close(descriptor) }

    func say(_ text: String) {
      let bytes = Array(text.utf8)
      _ = unsafe Glibc.send(descriptor, bytes, bytes.count, CInt(MSG_NOSIGNAL))
    }

    /// Says something, and reads the answer to its end on a thread of its own.
    func exchange(_ request: String) async throws -> Answer {
      say(request)
      let text = await withCheckedContinuation { continuation in
        Thread.detachNewThread { [descriptor] in
          var all: [UInt8] = []
          var piece = [UInt8](repeating: 0, count: 4096)
          while case let count = unsafe recv(descriptor, &piece, piece.count, 0), count > 0 {
            all += piece.prefix(count)
          }
          continuation.resume(returning: String(decoding: all, as: UTF8.self))
        }
      }
      let parts = text.components(separatedBy: "\r\n\r\n")
      let status = try #require(parts[0].firstMatch(of: #/^HTTP/1\.1 (\d{3}) /#), "\(text)")
      return Answer(
        status: Int(status.1) ?? 0, head: parts[0], body: parts.dropFirst().joined(separator: "\r\n\r\n"))
    }
  }

  // MARK: Enrolling

  /// Asks for a challenge.
  func challenge(
    _ headers: [(String, String)] = ServeScene.headers(), members: String = ""
  ) async throws -> Answer {
    try await post("/v1/challenges", #"{"topic":"com.example.app","mode":"replace"\#(members)}"#, headers)
  }

  /// The enrolment of Ada's phone, as the app makes it.
  func enrolment(challenge: String? = nil, answering request: String? = nil) async throws -> String {
    let options = challenge.map { "--challenge=\($0)" } ?? ""
    let answer = request.map { "--answer \($0) --senders sender.pub.jwks" } ?? ""
    return try await tool.succeed(
      """
      keys enrol --keys device.jwks --identity identity.jwks --topic com.example.app --environment sandbox \
      \(Tool.audience) --token \(scene.apns.token) \(options) \(answer)
      """
    ).text
  }

  /// Hands an enrolment in.
  func enrol(
    _ enrolment: String, as registration: String, _ headers: [(String, String)] = ServeScene.headers()
  ) async throws -> Answer {
    try await post(
      "/v1/enrolments", #"{"registration":"\#(registration)","enrolment":\#(enrolment)}"#, headers)
  }
}
