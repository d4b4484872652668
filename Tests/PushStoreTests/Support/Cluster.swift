import Synchronization
import TestSupport

/// A server of this process's own, and its databases.
final class Cluster: Sendable {
  /// The folder of the socket.
  let folder: String

  private let server: PostgresServer
  private let databases = Mutex(Databases())

  /// The one that tests share; an error if it does not start.
  static let shared = Result { try Cluster() }

  init() throws {
    server = try PostgresServer()
    folder = server.folder
  }

  /// Stops the server as a crash does, and starts it again.
  func restart() throws { try server.restart() }

  /// Makes a database that nobody else uses.
  func newDatabase() throws -> String {
    let name = databases.withLock { $0.next() }
    try PostgresApplication(string(for: "postgres")).run("CREATE DATABASE \(name) STRATEGY file_copy")
    return name
  }

  /// A database that was left, with what is in it; nil if there is none.
  func leftDatabase() throws -> String? {
    let application = try PostgresApplication(string(for: "postgres"))
    return try databases.withLock { databases in
      // A store may outlive its bench.
      let name = try databases.left.first { name in
        try application.run("SELECT FROM pg_stat_activity WHERE datname = '\(name)'").isEmpty
      }
      return name.flatMap { databases.left.remove($0) }
    }
  }

  /// Leaves a database to others, as soon as its last connection is closed: making one takes long.
  func leave(_ database: String) { databases.withLock { _ = $0.left.insert(database) } }

  private struct Databases {
    var count = 0
    var left: Set<String> = []

    mutating func next() -> String {
      count += 1
      return "test\(count)"
    }
  }

  /// How to connect to a database.
  func string(for database: String) -> String { "host=\(folder) user=postgres dbname=\(database)" }
}
