import Locks
import PushAttachments
import SealedPushExtension
import TestSupport
import Testing

@Suite("Fetches that end early", .hangGuard)
struct EndingTests {
  private static let head = Array("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nabc".utf8)

  @Test("What the receiver throws ends the fetch, and the connection")
  func receiver() async throws {
    let server = try LoopbackServer(["/blob": .endless(Self.head)])
    let calls = Mutex(0)
    await #expect(throws: AttachmentError.wrongSize) {
      try await URLSessionFetcher().fetch(AttachmentURL(unchecked: server.address("/blob"))) {
        _ throws(AttachmentError) in
        calls.withLock { $0 += 1 }
        throw .wrongSize
      }
    }
    #expect(calls.withLock { $0 } == 1)
    #expect(await server.abandoned.first { _ in true } == "/blob")
    #expect(calls.withLock { $0 } == 1)
  }

  @Test("A refused answer ends the connection")
  func refusedAnswer() async throws {
    let head = Array("HTTP/1.1 404 X\r\nConnection: close\r\n\r\n".utf8)
    let server = try LoopbackServer(["/blob": .endless(head)])
    await #expect(throws: FetchError.status(404)) { try await server.fetch("/blob") }
    #expect(await server.abandoned.first { _ in true } == "/blob")
  }

  @Test("Cancelling ends a fetch whose server is silent, and its connection")
  func silent() async throws {
    let server = try LoopbackServer(["/blob": .stall(Self.head)])
    let (pieces, continuation) = AsyncStream.makeStream(of: [UInt8].self)
    let address = AttachmentURL(unchecked: server.address("/blob"))
    let task = Task { try await URLSessionFetcher().fetch(address) { piece in continuation.yield(piece) } }
    #expect(await pieces.first { _ in true } == Array("abc".utf8))
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(await server.abandoned.first { _ in true } == "/blob")
  }

  @Test("Cancelling ends a fetch whose server has not answered")
  func unanswered() async throws {
    let server = try LoopbackServer(["/0": .head(302, "Location: /1"), "/1": .stall([])])
    let (addresses, continuation) = AsyncStream.makeStream(of: String.self)
    let fetcher = URLSessionFetcher { address in
      continuation.yield(address)
      return true
    }
    let task = Task { try await server.fetch("/0", fetcher) }
    #expect(await addresses.first { _ in true } != nil)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test("A receiver that cancels the fetch gets no further piece")
  func within() async throws {
    let server = try LoopbackServer(["/blob": .endless(Self.head)])
    let calls = Mutex(0)
    let address = AttachmentURL(unchecked: server.address("/blob"))
    let holder = Mutex<Task<Void, any Error>?>(nil)
    let (start, go) = AsyncStream.makeStream(of: Void.self)
    let task = Task {
      for await _ in start { break }
      try await URLSessionFetcher().fetch(address) { _ in
        calls.withLock { $0 += 1 }
        holder.withLock { $0 }?.cancel()
      }
    }
    holder.withLock { $0 = task }
    go.yield()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(calls.withLock { $0 } == 1)
    #expect(await server.abandoned.first { _ in true } == "/blob")
  }

  @Test("A task that is cancelled already asks for nothing")
  func before() async throws {
    let server = try LoopbackServer(["/blob": .body([1])])
    let (start, go) = AsyncStream.makeStream(of: Void.self)
    let task = Task {
      for await _ in start { break }
      return try await server.fetch("/blob")
    }
    task.cancel()
    go.finish()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(server.requests.isEmpty)
  }

  @Test("Several fetches at once each get their own")
  func several() async throws {
    let server = try LoopbackServer(["/a": .body([1]), "/b": .body([2]), "/c": .head(404)])
    async let first = server.fetch("/a")
    async let second = server.fetch("/b")
    await #expect(throws: FetchError.status(404)) { try await server.fetch("/c") }
    #expect(try await first == [1])
    #expect(try await second == [2])
  }
}
