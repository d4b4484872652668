import Locks
import PushAttachments
import SealedPushExtension
import TestSupport
import Testing

@Suite("Fetching over HTTP", .hangGuard)
struct URLSessionFetcherTests {
  @Test("A blob arrives whole and in order")
  func whole() async throws {
    let blob = (0..<1_000_003).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
    let server = try LoopbackServer(["/blob": .body(blob)])
    #expect(try await server.fetch("/blob") == blob)
  }

  @Test("A blob without a stated length arrives whole")
  func chunked() async throws {
    let text = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n"
    let server = try LoopbackServer(["/blob": .bytes(Array(text.utf8))])
    #expect(try await server.fetch("/blob") == Array("abcde".utf8))
  }

  @Test("An empty blob is fetched")
  func empty() async throws {
    let server = try LoopbackServer(["/blob": .body([])])
    #expect(try await server.fetch("/blob").isEmpty)
  }

  @Test("The request says nothing of the device")
  func request() async throws {
    let server = try LoopbackServer(["/blob": .body([1], "Set-Cookie: a=b")])
    _ = try await server.fetch("/blob")
    _ = try await server.fetch("/blob")
    for head in server.requests {
      #expect(head.contains("\r\nUser-Agent: SealedPush\r\n"))
      #expect(head.contains("\r\nAccept-Encoding: identity\r\n"))
      #expect(head.contains("\r\nAccept-Language: *\r\n"))
      #expect(!head.lowercased().contains("\r\ncookie:"))
    }
    #expect(server.requests.count == 2)
  }

  @Test("Any status but 200 is an error", arguments: [201, 204, 206, 304, 401, 404, 500])
  func status(_ status: Int) async throws {
    let server = try LoopbackServer(["/blob": .head(status, "WWW-Authenticate: Basic realm=\"x\"")])
    await #expect(throws: FetchError.status(status)) { try await server.fetch("/blob") }
  }

  @Test("A redirect to nowhere is its status", arguments: [301, 302, 307, 308])
  func nowhere(_ status: Int) async throws {
    let server = try LoopbackServer(["/blob": .head(status)])
    await #expect(throws: FetchError.status(status)) { try await server.fetch("/blob") }
  }

  @Test("An encoded body is refused, and nothing of it is received", arguments: ["gzip", "br", "x"])
  func encoding(_ encoding: String) async throws {
    let server = try LoopbackServer(["/blob": .body([1, 2, 3], "Content-Encoding: \(encoding)")])
    await #expect(throws: FetchError.contentEncoding) { try await server.fetch("/blob") }
  }

  @Test("An identity encoding is none")
  func identity() async throws {
    let server = try LoopbackServer(["/blob": .body([1, 2, 3], "Content-Encoding: identity")])
    #expect(try await server.fetch("/blob") == [1, 2, 3])
  }

  @Test("A blob that ends early is an error")
  func early() async throws {
    let text = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc"
    let server = try LoopbackServer(["/blob": .bytes(Array(text.utf8))])
    let error = await #expect(throws: FetchError.self) { try await server.fetch("/blob") }
    guard case .failed = error else { return #expect(error == .failed(code: 0)) }
  }

  @Test("Nobody who listens is an error")
  func refused() async throws {
    let address: String
    do {
      let server = try LoopbackServer([:])
      address = server.address("/blob")
      await #expect(throws: FetchError.status(404)) { try await server.fetch("/blob") }
      server.stop()
      for await _ in server.abandoned {}
    }
    let error = await #expect(throws: FetchError.self) {
      try await URLSessionFetcher().fetch(AttachmentURL(unchecked: address)) { _ in }
    }
    guard case .failed = error else { return #expect(error == .failed(code: 0)) }
  }
}

extension LoopbackServer {
  /// Fetches what is at a path.
  func fetch(
    _ path: String, _ fetcher: URLSessionFetcher = URLSessionFetcher()
  ) async throws -> [UInt8] {
    let bytes = Received()
    try await fetcher.fetch(AttachmentURL(unchecked: address(path))) { piece in bytes.append(piece) }
    return bytes.all
  }
}

/// What was received.
final class Received: Sendable {
  private let bytes = Mutex<[UInt8]>([])
  func append(_ piece: [UInt8]) { bytes.withLock { $0 += piece } }
  var all: [UInt8] { bytes.withLock { $0 } }
}
