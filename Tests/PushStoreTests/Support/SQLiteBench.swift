import Foundation
import Glibc
import PushCore
import PushSimulation
import PushStore
import Synchronization
import TestSupport

/// A store in a file of a test's own.
final class SQLiteBench: StoreBench {
  let sqlite: SQLiteStore
  let clock: ManualClock

  var store: any Store { sqlite }
  var path: String { sqlite.path }

  init() async throws {
    clock = ManualClock(start)
    sqlite = try await SQLiteStore(path: TestFiles.newPath(), clock: clock)
  }

  func another() async throws -> any Store { try await SQLiteStore(path: path, clock: clock) }

  func advance(by time: Duration) { clock.advance(by: time) }

  func insert(_ columns: [JobColumn: String?]) throws {
    let now = "\(clock.sinceEpoch.inSeconds)"
    let times: [JobColumn: String?] = [.notBefore: now, .createdAt: now]
    let columns = columns.merging(times) { written, _ in written }
    try insert(into: "job", columns.map { ($0.key.rawValue, $0.value) })
  }

  func insert(_ columns: [EnrolmentRow.Column: String]) throws -> Int64 {
    let rows = try insert(into: "enrolment", columns.map { ($0.key.rawValue, $0.value) })
    return rows[0][0].flatMap { Int64($0) } ?? 0
  }

  func answer(of id: Int64) throws -> WrittenAnswer? {
    let row = try application().run(
      "SELECT answer, reason, request FROM sealpush.enrolment WHERE id = ?1", "\(id)")[0]
    return row[0].map { WrittenAnswer(answer: $0, reason: row[1], request: row[2]) }
  }

  /// An application with a new file in memory.
  func application() throws -> Application { try Application(attaching: path) }

  @discardableResult
  private func insert(into table: String, _ columns: [(name: String, value: String?)]) throws -> [[String?]] {
    // The values of a test have no quotation marks but JSON's.
    let values = columns.map { $0.value.map { "'\($0)'" } ?? "NULL" }.joined(separator: ", ")
    let names = columns.map(\.name).joined(separator: ", ")
    return try application().run("INSERT INTO sealpush.\(table) (\(names)) VALUES (\(values)) RETURNING id")
  }
}

/// Where the benches' files are: a store may outlive its bench, so they go with the process.
private enum TestFiles {
  private static let folder = Result { try TemporaryFolder() }
  private static let removal: Void =
    _ = atexit {
      if let folder = try? TestFiles.folder.get() { try? FileManager.default.removeItem(atPath: folder.path) }
    }
  private static let count = Atomic(0)

  static func newPath() throws -> String {
    removal
    let number = count.add(1, ordering: .relaxed).newValue
    return try folder.get().path(of: "store-\(number)")
  }
}
