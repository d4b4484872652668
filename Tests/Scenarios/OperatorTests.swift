import Foundation
import Glibc
import TestSupport
import Testing

@Suite("What an operator sees", .hangGuard)
struct OperatorTests {
  @Test("a queue is watched until a signal comes, with what is enqueued and what leaves")
  func watching() async throws {
    let tool = try Tool()
    let jobs = (1...500).map { #"{"person":"p\#($0)","payload":{"aps":{"alert":"Lunch?"}}}"# }.joined(
      separator: "\n")
    _ = try await tool.daemon(
      "enqueue --store push.sqlite --person ada --expires-at 1", input: .text(#"{"aps":{"alert":"Lunch?"}}"#))
    var surroundings = try tool.surroundings()
    surroundings.output = "\(tool.scratch)/looks"
    let watch = "queue --store push.sqlite --watch 1s --json".split(separator: " ").map(String.init)
    let child = try Child([Tool.daemon] + watch, in: surroundings)
    func wait(for look: String) async throws {
      try await HangGuard.wait(for: look) {
        try #require(child.check() == nil)
        return try String(contentsOfFile: surroundings.output, encoding: .utf8).contains(look)
      }
    }
    try await wait(for: #""enqueued_per_second":0"#)
    _ = try await tool.daemon("enqueue --store push.sqlite --lines", input: .text(jobs))
    try await wait(for: #""ready":501"#)
    child.send(SIGINT)
    #expect(try await child.wait() == .exited(0))
    let looks = try String(contentsOfFile: surroundings.output, encoding: .utf8).split(separator: "\n")
    #expect(looks[0].hasPrefix(#"{"ready":1,"delayed":0,"leased":0,"dead":0,"oldest_ready_seconds":"#))
    #expect(!looks[0].contains("per_second") && looks.dropFirst().allSatisfy { $0.contains("per_second") })
    #expect(looks.contains { $0.contains("per_second") && !$0.contains(#""enqueued_per_second":0"#) })
    #expect(looks.allSatisfy { !$0.contains("done_per_second") || $0.contains(#""done_per_second":0"#) })
  }

  @Test("a queue that is watched is a table with its heads above its columns")
  func table() async throws {
    let tool = try Tool()
    _ = try await tool.daemon(
      "enqueue --store push.sqlite --person ada --expires-at 1", input: .text(#"{"aps":{"alert":"Lunch?"}}"#))
    let surroundings = try tool.surroundings()
    let watch = "queue --store push.sqlite --watch 1s".split(separator: " ").map(String.init)
    let child = try Child([Tool.daemon] + watch, in: surroundings)
    var lines: [Substring] = []
    try await HangGuard.wait(for: "two looks") {
      try #require(child.check() == nil)
      lines = try String(contentsOfFile: surroundings.output, encoding: .utf8).split(separator: "\n")
      return lines.count >= 3
    }
    child.send(SIGINT)
    #expect(try await child.wait() == .exited(0))
    #expect(lines[0] == "TIME        READY  OLDEST  DELAYED  LEASED    DEAD    IN/S   OUT/S")
    #expect(lines.allSatisfy { $0.count == lines[0].count })
    #expect(lines[1].dropFirst(8).hasPrefix("        1  ") && lines[1].hasSuffix("       -       -"))
  }

  @Test("what is in the way is named, with what to do")
  func advice() async throws {
    let tool = try Tool()
    _ = try await tool.daemon(
      "enqueue --store push.sqlite --person ada", input: .text(#"{"aps":{"alert":"Lunch?"}}"#))
    try tool.write("mine", to: "copy")
    let copy = try await tool.daemon("store backup copy --store push.sqlite")
    #expect(copy.status == 73)
    #expect(copy.errors.contains("copy exists\nsealpushd: hint: a backup replaces no file"))
    #expect(try tool.contents("copy") == Array("mine".utf8))
    let nobody = try await tool.daemon("devices forget adam --store push.sqlite")
    #expect(nobody.status == 0 && nobody.text == "0 rows removed\n")
    #expect(nobody.errors == "sealpushd: note: the store has nothing about 'adam'; check the name\n")
    let away = try await tool.daemon("queue --store postgresql://127.0.0.1:1/push")
    #expect(away.status == 75 && away.errors.contains("refused") && !away.errors.contains("\\u{9}"))
    for address in [
      "postgresql+psycopg2://ada:hunter2@db/shop", "mysql2://ada:hunter2@db/shop",
      "jdbc:postgresql://db/shop?password=hunter2",
    ] {
      let other = try await tool.daemon("queue --store \(address)")
      #expect(other.status == 64 && !other.errors.contains("hunter2"), "\(other.errors)")
    }
  }
}
