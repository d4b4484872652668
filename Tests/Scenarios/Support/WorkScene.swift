import Foundation
import Glibc
import TestSupport
import Testing

/// A store, and Ada's phone, which the stand-in plays.
struct WorkScene {
  private static let enrol =
    "keys enrol --keys device.jwks --identity identity.jwks --topic com.example.app --environment sandbox "
    + Tool.audience

  let apns: StandInScene
  /// The option that names the store.
  let store: String
  var tool: Tool { apns.tool }

  init(at place: String = "push.sqlite", phone options: String = "") async throws {
    store = "--store \(place)"
    apns = try await StandInScene(try Tool(), options)
    try await tool.succeed("keys new --role identity --out identity.jwks")
  }

  /// Has Ada's phone enrol, and prove what it must, with a backend's command.
  func enrol(_ accept: (String, Tool.Input) async throws -> Run) async throws {
    let enrol = "\(Self.enrol) --token \(apns.token)"
    // Some time ago, as far as two clocks may differ: APNs may not say that the token was invalid before.
    let enrolled = time(nil) - 200
    let first = try await tool.succeed("\(enrol) --now \(enrolled)")
    let asked = try await accept("--registration ada-1 --person ada-lovelace --new", .bytes(first.output))
    try #require(asked.status == 75, "\(asked.errors)")
    try tool.write(try requestPayload(asked), to: "request")
    let answer = try await tool.succeed(
      "\(enrol) --answer request --senders sender.pub.jwks --now \(enrolled + 1)")
    let taken = try await accept("--registration ada-1", .bytes(answer.output))
    try #require(taken.status == 0 && taken.text.contains(#""change":"registered""#), "\(taken.errors)")
  }

  /// Enrols Ada's phone in the store.
  func enrol() async throws {
    try await enrol { options, enrolment in
      try await tool.daemon("devices accept \(store) \(Tool.backend) \(options)", input: enrolment)
    }
  }

  /// The payload of the request in what a backend printed, byte for byte.
  private func requestPayload(_ run: Run) throws -> String {
    let parts = run.text.components(separatedBy: #""payload":"#)
    return String(try #require(parts.last).dropLast("}}\n".count))
  }

  /// The words of a worker.
  func worker(_ options: String) -> [String] {
    let line =
      "work \(store) --from sender.jwks --key-file AuthKey_ABCDE12345.p8 --key-id ABCDE12345 "
      + "--team-id FGHIJ67890 --endpoint 127.0.0.1:\(apns.port) --trust apns-root.pem \(options)"
    return [Tool.daemon] + line.split(separator: " ").map(String.init)
  }

  /// Runs a worker until there is nothing to do.
  func workOnce(_ options: String = "") async throws -> Run {
    try await tool.execute(worker("--once \(options)"))
  }

  /// Starts a worker, and waits until it works.
  func start(_ options: String = "") async throws -> (child: Child, log: String) {
    let surroundings = try tool.surroundings()
    let child = try Child(worker(options), in: surroundings)
    try await HangGuard.wait(for: "the worker") {
      try #require(child.check() == nil)
      return try String(contentsOfFile: surroundings.errors, encoding: .utf8).contains(#""started""#)
    }
    return (child, surroundings.errors)
  }

  /// Enqueues messages to Ada with these texts.
  func enqueue(_ texts: [String]) async throws {
    let lines = texts.map { #"{"person":"ada-lovelace","payload":{"aps":{"alert":"\#($0)"}}}"# + "\n" }
    let run = try await tool.daemon("enqueue \(store) --lines", input: .text(lines.joined()))
    try #require(run.status == 0, "\(run.errors)")
    #expect(run.lines.count == texts.count)
  }

  /// What `queue --json` counts.
  struct Queue: Decodable, Equatable {
    var ready = 0
    var delayed = 0
    var leased = 0
    var dead = 0
  }

  func queue() async throws -> Queue {
    let run = try await tool.daemon("queue \(store) --json")
    try #require(run.status == 0, "\(run.errors)")
    return try run.json()
  }

  func daemon(_ line: String, status: Int32 = 0, input: Tool.Input = .nothing) async throws -> Run {
    let run = try await tool.daemon("\(line) \(store)", input: input)
    #expect(run.status == status, "\(line): \(run.errors)")
    return run
  }

  func end() async throws { try await apns.end() }
}
