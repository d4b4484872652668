import Foundation
import PushCore
import PushStore
import TestSupport
import Testing

/// Documentation/Guides/Outbox.md says what is so.
@Suite("The page about the outbox", .hangGuard)
struct DocumentTests {
  private let page: String
  private let folder: TemporaryFolder
  private let store: SQLiteStore

  init() async throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(
      path: "../../Documentation/Guides/Outbox.md")
    page = try String(contentsOf: file, encoding: .utf8)
    folder = try TemporaryFolder()
    store = try await SQLiteStore(path: folder.path(of: "push.sqlite"))
  }

  /// The blocks of code in a language.
  private func blocks(_ language: String) -> [String] {
    let parts = page.components(separatedBy: "\n```\(language)\n")
    return parts.dropFirst().map { $0.components(separatedBy: "```")[0] }
  }

  /// The only block of code in a language.
  private func block(_ language: String) throws -> String {
    let all = blocks(language)
    try #require(all.count == 1)
    return all[0]
  }

  @Test("has SQL that an application can run")
  func sql() async throws {
    let application = try Application(folder.path(of: "shop.sqlite"))
    let text = try block("sql").split(separator: "\n").filter { !$0.hasPrefix("--") }.joined(separator: "\n")
    let statements = text.replacing("'push.sqlite'", with: "'\(store.path)'").split(separator: ";")
    for statement in statements { try application.run(String(statement)) }
    #expect(statements.count == 11)
    #expect(try application.run("SELECT article FROM purchase") == [["carrots"]])
    let leased = try await store.lease(atMost: 9, for: .seconds(60), sender: nil)
    #expect(
      try leased.map { try $0.job.get().payload } == [["aps": ["alert": "Your carrots are on their way"]]])
    #expect(try await store.statistics().delayed == 1)
    let request = try #require(try await store.leaseEnrolments(atMost: 9, for: .seconds(60)).first).request
      .get()
    #expect(request.name == "phone 1" && request.mayBeNew)
  }

  @Test("begins a transaction in which an application may read before it writes, because others wait for it")
  func reading() async throws {
    let begin = try #require(block("sql").split(separator: "\n").first { $0.hasPrefix("BEGIN") })
    let insert = "INSERT INTO job (person, payload) VALUES ('ada', '{}')"
    let (application, other) = (try Application(store.path), try Application(store.path))
    try other.run("PRAGMA busy_timeout = 0")
    try application.run(String(begin))
    try application.run("SELECT count(*) FROM job")
    #expect(throws: Application.Refusal(text: "database is locked")) { try other.run(insert) }
    try application.run(insert)
    try application.run("COMMIT")
    try other.run(insert)
    #expect(try await store.statistics().ready == 2)
  }

  @Test("has SQL that an application can run in PostgreSQL")
  func postgresql() async throws {
    let bench = try await PostgresBench()
    let alerts = blocks("postgresql").filter { $0.contains("INTO sealpush.job") && !$0.contains("push_type") }
    #expect(alerts.count == 2)
    let statements = alerts.joined().replacing(":'person'", with: "'alice'")
      .replacing(":'article'", with: "'carrots'")
    try bench.application().run(
      "UPDATE clock SET time = now(); CREATE TABLE purchase (person text, article text); \(statements)")
    let leased = try await bench.store.lease(atMost: 9, for: .seconds(60), sender: nil)
    #expect(
      try leased.map { try $0.job.get().payload } == [["aps": ["alert": "Your carrots are on their way"]]])
    #expect(try await bench.store.statistics().delayed == 1)
    #expect(try bench.application().run("DELETE FROM purchase RETURNING article") == [["carrots"]])
  }

  @Test(
    "has every column",
    arguments: [
      ("job", 20), ("enrolment", 14), ("removal", 4), ("cancellation", 5), ("challenge", 9), ("outcome", 9),
    ])
  func columns(table: String, writable: Int) async throws {
    let section = try #require(page.components(separatedBy: "## The table `\(table)`\n").last)
    let text = section.components(separatedBy: "\n## ")[0]
    let names = try Application(store.path).run("SELECT name FROM pragma_table_xinfo(?1)", table)
    #expect(names.count >= writable)
    for name in names.compactMap(\.[0]) { #expect(text.contains("`\(name)`"), "\(name)") }
    let written = names.compactMap(\.[0]).filter { text.contains("\n| `\($0)` |") }
    #expect(written.count == writable)
  }
}
