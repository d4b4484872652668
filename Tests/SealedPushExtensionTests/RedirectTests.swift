import Foundation
import PushAttachments
import TestSupport
import Testing

@testable import SealedPushExtension

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("Redirects", .hangGuard)
struct RedirectTests {
  private let open = URLSessionFetcher { _ in true }

  @Test("Three redirects are followed", arguments: [301, 302, 303, 307, 308])
  func three(_ status: Int) async throws {
    let server = try LoopbackServer([
      "/0": .head(status, "Location: /1"), "/1": .head(status, "Location: /2"),
      "/2": .head(status, "Location: /3"), "/3": .body([1, 2, 3]),
    ])
    #expect(try await server.fetch("/0", open) == [1, 2, 3])
  }

  @Test("A fourth redirect is refused, and not asked for")
  func four() async throws {
    let server = try LoopbackServer(["/0": .head(302, "Location: /0")])
    await #expect(throws: FetchError.tooManyRedirects) { try await server.fetch("/0", open) }
    #expect(server.requests.count == 4)
  }

  @Test("An address that no attachment may have is refused, and not asked for")
  func http() async throws {
    let server = try LoopbackServer(["/0": .head(302, "Location: /1"), "/1": .body([1])])
    await #expect(throws: FetchError.redirectRefused) { try await server.fetch("/0") }
    #expect(server.requests.count == 1)
  }

  @Test(
    "An address that is none of the public network over TLS is refused",
    arguments: [
      "file:///etc/passwd", "ftp://example.com/", "https://127.0.0.1/", "https://user@example.com/", "http:x",
      "http://example.com/", "data:,x",
    ])
  func others(_ address: String) async throws {
    let server = try LoopbackServer(["/0": .head(302, "Location: \(address)")])
    await #expect(throws: FetchError.redirectRefused) { try await server.fetch("/0") }
  }

  @Test("The body of a redirect is not received")
  func body() async throws {
    let text = "HTTP/1.1 302 X\r\nLocation: /1\r\nConnection: close\r\nContent-Length: 3\r\n\r\nabc"
    let server = try LoopbackServer(["/0": .bytes(Array(text.utf8)), "/1": .body([1])])
    #expect(try await server.fetch("/0", open) == [1])
  }

  /// On Apple's systems, the task waits for an answer of its own if this says that none was given.
  @Test("A redirect that is refused is not said to be followed")
  func refusal() throws {
    let exchange = Exchange(isFollowed: { $0.hasSuffix("/yes") }, receive: { _ in })
    var followed: [URLRequest] = []
    let requests = try ["yes", "no", "yes"].map {
      URLRequest(url: try #require(URL(string: "https://example.com/\($0)")))
    }
    let answers = requests.map { exchange.redirect(to: $0) { followed.append($0) } }
    // The second one ends the exchange.
    #expect(answers == [true, false, false] && followed == [requests[0]])
  }
}
