import Foundation
import Glibc
import TestSupport
import Testing

@Suite("The tool dies silently", .serialized)
struct HardeningTests {
  /// The tool with its private key read, waiting for the rest of a payload.
  ///
  /// `started` are the words that start it.
  private func waitingTool(
    _ pair: Pair, started: ([String]) -> [String] = { $0 }
  ) async throws -> (child: Child, errors: String, pipe: Int32) {
    let path = pair.tool.scratch + "/pipe"
    try #require(unsafe mkfifo(path, 0o600) == 0)
    let pipe = unsafe open(path, O_RDWR | O_CLOEXEC)
    try #require(pipe >= 0)
    let surroundings = try pair.tool.surroundings(
      input: .file(path), environment: ["SWIFT_BACKTRACE": "enable=yes,color=no,limit=8"])
    let script = "ulimit -c unlimited; exec \"$0\" \"$@\""
    let words = "\(pair.seal) --in -".split(separator: " ").map(String.init)
    let child = try Child(started(["/bin/sh", "-c", script, Tool.binary] + words), in: surroundings)
    // It has come to its input when the pipe is empty again.
    try #require(unsafe write(pipe, "{", 1) == 1)
    var poll = pollfd(fd: pipe, events: Int16(POLLIN), revents: 0)
    try await HangGuard.wait(for: "the tool to read its input") { unsafe Glibc.poll(&poll, 1, 0) == 0 }
    return (child, surroundings.errors, pipe)
  }

  @Test(arguments: [SIGSEGV, SIGABRT, SIGILL, SIGBUS, SIGFPE, SIGTRAP, SIGQUIT, SIGTERM, SIGINT])
  func noBacktraceAndNoCore(signal: Int32) async throws {
    let pair = try await Pair()
    let names = try pair.tool.names
    let (child, errors, pipe) = try await waitingTool(pair)
    defer { close(pipe) }

    // It has forbidden the system to write its memory out, whoever started it.
    let limits = try String(contentsOfFile: "/proc/\(child.processID)/limits", encoding: .utf8)
    let core = try #require(limits.split(separator: "\n").first { $0.hasPrefix("Max core file size") })
    #expect(core.split(separator: " ").dropFirst(4).prefix(2) == ["0", "0"])

    child.send(signal)
    #expect(try await child.wait() == .killed(by: signal))
    #expect(try Data(contentsOf: URL(fileURLWithPath: errors)).isEmpty)
    #expect(try pair.tool.names == names)
  }

  /// A debugger of the same user needs what reading another process's environment needs.
  @Test func anotherProcessCannotLookInside() async throws {
    let pair = try await Pair()
    guard try await Unprivileged.works(in: pair.tool) else { return }
    let (child, _, pipe) = try await waitingTool(pair, started: Unprivileged.words(running:))
    defer { close(pipe) }
    let open = try Child(Unprivileged.words(running: ["/bin/sleep", "600"]), in: pair.tool.surroundings())
    try await HangGuard.wait(for: "another program to run") {
      (try? String(contentsOfFile: "/proc/\(open.processID)/comm", encoding: .utf8)) == "sleep\n"
    }
    func canLookInto(_ processID: pid_t) async throws -> Bool {
      let look = Unprivileged.words(running: ["head", "-c", "1", "/proc/\(processID)/environ"])
      return try await pair.tool.execute(look).status == 0
    }
    #expect(try await canLookInto(open.processID))
    #expect(try await !canLookInto(child.processID))
    for process in [child, open] { process.send(SIGKILL) }
  }
}
