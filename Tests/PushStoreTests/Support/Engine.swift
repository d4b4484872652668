import PushSimulation
import PushCore
import PushStore
import Synchronization
import TestSupport
import Testing

/// A kind of store, for which the same tests hold.
struct Engine: Sendable, CustomTestStringConvertible {
  let name: String

  /// Starts with an empty store.
  let start: @Sendable () async throws -> any StoreBench

  var testDescription: String { name }

  /// All of them: the arguments of the tests.
  static let all = [memory, sqlite, postgres]

  static let memory = Engine(name: "memory") { MemoryBench() }

  static let sqlite = Engine(name: "SQLite") { try await SQLiteBench() }

  static let postgres = Engine(name: "PostgreSQL") { try await PostgresBench() }
}

/// A store, its time, and the application that writes into its tables.
protocol StoreBench: Sendable {
  var store: any Store { get }

  /// The same store, as another worker has it: by connections of its own, where there are any.
  func another() async throws -> any Store

  /// Lets time pass for the store. It begins at ``start``.
  func advance(by time: Duration) async throws

  /// Writes a row as an application does in SQL, with the table's defaults for the columns that are not named.
  func insert(_ columns: [JobColumn: String?]) async throws

  /// Hands in an enrolment as an application does in SQL, and returns the row's number.
  func insert(_ columns: [EnrolmentRow.Column: String]) async throws -> Int64

  /// What the application reads in an enrolment's row.
  func answer(of id: Int64) async throws -> WrittenAnswer?
}

/// The columns of an answer.
struct WrittenAnswer: Equatable {
  var answer: String
  var reason: String?
  var request: String?
}

/// When every store's time begins.
let start = UnixTime(seconds: 1_800_000_000)!

private final class MemoryBench: StoreBench {
  private let clock = ManualClock(start)
  private let memory: MemoryStore

  var store: any Store { memory }

  init() { memory = MemoryStore(clock: clock) }

  func another() -> any Store { memory }

  func advance(by time: Duration) { clock.advance(by: time) }

  func insert(_ columns: [JobColumn: String?]) async {
    let defaults: [JobColumn: String?] = [
      .messageID: MessageID.random().text, .priority: "5", .notBefore: "\(clock.sinceEpoch.inSeconds)",
      .createdAt: "\(clock.sinceEpoch.inSeconds)",
    ]
    let all = columns.merging(defaults) { written, _ in written }.compactMapValues(\.self)
    _ = await memory.insert(JobRow(columns: all.mapValues { Array($0.utf8.prefix(JobRow.maximumSize)) }))
  }

  func insert(_ columns: [EnrolmentRow.Column: String]) async -> Int64 {
    await memory.insert(
      EnrolmentRow(columns: columns.mapValues { Array($0.utf8.prefix(EnrolmentRow.maximumSize)) }))
  }

  func answer(of id: Int64) async -> WrittenAnswer? {
    (await memory.answer(of: id)?.columns).map {
      WrittenAnswer(answer: $0.answer, reason: $0.reason, request: $0.request)
    }
  }
}
