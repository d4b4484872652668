import PushNetwork
import TestSupport
import Testing

/// A program that asks a server of this machine.
@Suite("A client of this machine's servers", .hangGuard)
struct LoopbackClientTests {
  private static let request = Array("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)

  /// Asks a listener that says this, and closes.
  private func ask(
    _ answer: String, limit: Int = 1000, at listener: PlainListener? = nil
  ) async throws -> LoopbackClient.Answer {
    let listener = try listener ?? PlainListener(port: 0)
    // Not on the threads of tasks: accepting waits for a client.
    async let server: Void = onThreads(1) { _ in
      let connection = listener.accept()
      _ = connection?.read(atMost: 1000)
      _ = connection?.write(answer)
    }
    defer { listener.stop() }
    let result = await Result {
      guard case .loopback(let place) = listener.place else { throw LoopbackFailure.noAnswer }
      return try await LoopbackClient(to: place).send(Self.request, limit: limit)
    }
    await server
    return try result.get()
  }

  @Test("the answer's status and body, up to the end of the connection")
  func answer() async throws {
    let answer = try await ask("HTTP/1.1 404 Not Found\r\nContent-Length: 8\r\n\r\na\r\n\r\nb.")
    #expect(answer.status == 404 && answer.body == Array("a\r\n\r\nb.".utf8))
  }

  @Test("an answer of a server that listens at a path")
  func path() async throws {
    let folder = try TemporaryFolder()
    let listener = try PlainListener(at: .loopback(.path(folder.path(of: "socket"))))
    #expect(try await ask("HTTP/1.1 200 OK\r\n\r\n", at: listener).body == [])
  }

  @Test(
    "what is no answer of HTTP/1.1",
    arguments: [
      "", "HTTP/1.1 200 OK\r\n", "HTTP/2 200 OK\r\n\r\n", "HTTP/1.1 abc\r\n\r\n", "HTTP/1.1 1000\r\n\r\n",
    ])
  func none(text: String) async {
    await #expect(throws: LoopbackFailure.noAnswer) { _ = try await ask(text) }
  }

  @Test("a body that is larger than the limit", arguments: [5, 100_000])
  func tooLarge(size: Int) async {
    let body = String(repeating: "x", count: size)
    await #expect(throws: LoopbackFailure.tooLarge) {
      _ = try await ask("HTTP/1.1 200 OK\r\n\r\n\(body)", limit: 4)
    }
  }

  @Test("a place where nobody listens")
  func nobody() async throws {
    let place = LoopbackPlace.path("/there/is/no/such/socket")
    let error = await #expect(throws: LoopbackFailure.self) {
      _ = try await LoopbackClient(to: place).send(Self.request, limit: 10)
    }
    #expect("\(try #require(error))" == "cannot connect to \(place): No such file or directory")
  }
}

extension Result where Failure == any Error {
  fileprivate init(_ work: () async throws -> Success) async {
    do { self = .success(try await work()) } catch { self = .failure(error) }
  }
}
