import PushCore
import PushStore
import PushStorePostgres
import StoreSupport
import TestSupport
import Testing

/// A server elsewhere, whose certificate the connection string asks for.
@Suite("TLS to PostgreSQL", .hangGuard)
struct PostgresTLSTests {
  private let server: PostgresServer

  init() throws {
    server = try PostgresServer(withTLS: true)
    try PostgresApplication("host=\(server.folder) port=\(server.port) user=postgres dbname=postgres").run(
      "CREATE ROLE worker LOGIN PASSWORD 'hunter2'; CREATE SCHEMA sealpush AUTHORIZATION worker")
  }

  private func address(host: String = "localhost", root: String) -> String {
    "postgresql://worker:hunter2@\(host):\(server.port)/postgres?hostaddr=127.0.0.1&sslmode=verify-full&sslrootcert=\(root)"
  }

  @Test("is used if the server's certificate is the root's, and nothing goes in the clear")
  func verified() async throws {
    let store = try await PostgresStore(connectionString: address(root: server.certificate))
    try await store.enqueue([Job(.lunch, to: "alice")])
    #expect(try await people(store) == ["alice"])
    let observer = try PostgresApplication(
      "host=\(server.folder) port=\(server.port) user=postgres dbname=postgres")
    let connections = try observer.run(
      "SELECT ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE application_name = 'sealedpush'")
    #expect(!connections.isEmpty && connections.allSatisfy { $0 == ["t"] })
  }

  /// A name of this machine by which nothing shows that it is this one.
  private func elsewhere(_ more: String) -> String {
    "postgresql://worker:hunter2@localhost:\(server.port)/postgres?hostaddr=0.0.0.0\(more)"
  }

  @Test("is asked for, with a certificate that is trusted, where the connection string does not say")
  func unsaid() async throws {
    let error = await #expect(throws: StoreError.self) {
      try await PostgresStore(connectionString: elsewhere(""))
    }
    guard case .unreachable(_, let reason)? = error else {
      Issue.record("\(String(describing: error))"); return
    }
    #expect(reason.contains("certificate verify failed"))
    _ = try await PostgresStore(connectionString: elsewhere("&sslrootcert=\(server.certificate)"))
  }

  @Test("is what the connection string asks for")
  func said() async throws {
    _ = try await PostgresStore(connectionString: elsewhere("&sslmode=require"))
  }

  @Test("refuses another root, and another server's name, and the error has no password")
  func refused() async throws {
    for (address, reason) in [
      (address(root: server.otherCertificate), "certificate verify failed"),
      (address(host: "db.example.com", root: server.certificate), "does not match host name"),
      (address(root: server.folder + "/none.pem"), "none.pem"),
    ] {
      let error = await #expect(throws: StoreError.self) {
        try await PostgresStore(connectionString: address)
      }
      guard case .unreachable(let place, let text)? = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(place.hasSuffix(":\(server.port)/postgres") && text.contains(reason), "\(place): \(text)")
      #expect(!"\(place) \(text)".contains("hunter2") && !"\(place) \(text)".contains("worker"))
    }
  }
}
