import Foundation
import PushNetwork
import TestSupport
import Testing

/// What a server that is for a proxy takes.
@Suite(.hangGuard) struct PlainRulesTests {
  private func server(
    at place: ListenPlace = .loopback(.port(0)), _ change: (inout PlainRules) -> Void = { _ in }
  ) throws -> PlainServer {
    var rules = PlainRules()
    rules.isForBrowsers = false
    rules.tellsWhenFull = true
    change(&rules)
    let server = try PlainServer(at: place, rules: rules)
    server.serve { request in
      PlainAnswer(
        type: "text/plain", body: .bytes(Array(request.repeated.sorted().joined(separator: ",").utf8)))
    }
    return server
  }

  @Test("A head or a body that does not end is given up when its time is over")
  func endless() async throws {
    let server = try server { $0.requestTime = .milliseconds(100) }
    for request in ["GET / HTTP/1.1\r\nX: ", "POST / HTTP/1.1\r\nContent-Length: 9\r\n\r\n{"] {
      let visitor = try Visitor(at: server.port)
      visitor.say(request)
      #expect(await visitor.answer().hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
    }
    server.stop()
  }

  @Test("A connection above the maximum is told so, and there is room when another has ended")
  func full() async throws {
    let server = try server {
      $0.maximumConnections = 2
      $0.requestTimeWhenFull = .seconds(600)
    }
    var others = try (0..<2).map { _ in try Visitor(at: server.port) }
    let visitor = try Visitor(at: server.port)
    visitor.say("GET / HTTP/1.1\r\n\r\n")
    #expect(await visitor.answer().hasPrefix("HTTP/1.1 503 Service Unavailable\r\n"))
    others.removeLast()
    try await HangGuard.wait(for: "room") {
      let visitor = try Visitor(at: server.port)
      visitor.say("GET / HTTP/1.1\r\n\r\n")
      return await visitor.answer().hasPrefix("HTTP/1.1 200 OK\r\n")
    }
    server.stop()
  }

  @Test("Connections that say nothing keep nobody out")
  func silent() async throws {
    let server = try server {
      $0.maximumConnections = 4
      $0.requestTime = .seconds(600)
      $0.requestTimeWhenFull = .zero
    }
    let others = try (0..<20).map { _ in try Visitor(at: server.port) }
    let visitor = try Visitor(at: server.port)
    visitor.say("GET / HTTP/1.1\r\n\r\n")
    #expect(await visitor.answer().hasPrefix("HTTP/1.1 200 OK\r\n"))
    withExtendedLifetime(others) { server.stop() }
  }

  @Test("A refused request has its answer, although more of it comes than is read")
  func refusedEarly() async throws {
    let server = try server()
    let visitor = try Visitor(at: server.port)
    visitor.say("GET / HTTP/1.1\r\nX: " + String(repeating: "x", count: 30_000) + "\r\n\r\n")
    #expect(await visitor.answer().hasPrefix("HTTP/1.1 413 Content Too Large\r\n"))
    server.stop()
  }

  @Test("Headers may be repeated if the rules say so, and the handler learns which ones are")
  func repeated() async throws {
    let server = try server { $0.takesRepeatedHeaders = true }
    let visitor = try Visitor(at: server.port)
    visitor.say("GET / HTTP/1.1\r\nA: 1\r\na: 2\r\nB: 3\r\n\r\n")
    #expect(await visitor.answer().hasSuffix("\r\n\r\na"))
    server.stop()
  }

  @Test(
    "Requests that two programs could read in two ways are malformed",
    arguments: [
      "Content-Length: 0\r\nContent-Length: 0", "Host: a\r\nHost: b",
      "Content-Length: 0\r\nTransfer-Encoding: chunked",
      "Transfer-Encoding: identity", "Content-Length: +1", "Content-Length: 0, 0", "A: 1\nB: 2", "A: 1\rB: 2",
      "A: \0",
      "A : 1", " A: 1", "A", ": 1",
    ])
  func ambiguous(headers: String) async throws {
    let server = try server { $0.takesRepeatedHeaders = true }
    let visitor = try Visitor(at: server.port)
    visitor.say("POST / HTTP/1.1\r\n\(headers)\r\n\r\n")
    #expect(await visitor.answer().hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
    server.stop()
  }

  @Test(
    "A socket at a path is its user's and group's, in use once, replaced when it is left, and removed at the end"
  )
  func path() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path(of: "socket")
    var listener: PlainListener? = try PlainListener(at: .loopback(.path(path)))
    #expect(try mode(of: path) & 0o777 == 0o660)
    #expect(throws: ListenError.self) { try PlainListener(at: .loopback(.path(path))) }
    // The file stays, and nobody listens.
    listener = nil
    // A program that another test starts has the socket until it runs.
    var next: PlainListener?
    try await HangGuard.wait(for: "the place") {
      next = try? PlainListener(at: .loopback(.path(path)))
      return next != nil
    }
    let listening = try #require(next)
    #expect(listening.port == 0 && listener == nil)
    listening.stop()
    #expect(!FileManager.default.fileExists(atPath: path))
    try Data().write(to: URL(fileURLWithPath: path))
    #expect(throws: ListenError.self) { try PlainListener(at: .loopback(.path(path))) }
    #expect(throws: ListenError.self) {
      try PlainListener(at: .loopback(.path(folder.path(of: String(repeating: "a", count: 108)))))
    }
  }
}
