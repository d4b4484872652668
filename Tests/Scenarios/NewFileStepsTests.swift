import Foundation
import Testing

/// Each step of making a key file, made to fail or to be the last.
@Suite("New key files step by step", .serialized)
struct NewFileStepsTests {
  private let tool: Tool
  private let making: Strace

  init() throws {
    tool = try Tool()
    making = Strace(tool: tool, line: "keys new --role device --out new.jwks")
  }

  /// The calls from the making of the unfinished file on, and the place of the one that gives it its name.
  private func steps() async throws -> (calls: ArraySlice<TracedCall>, naming: Int) {
    let calls = try await making.calls()
    try? FileManager.default.removeItem(atPath: tool.path("new.jwks"))
    guard !calls.isEmpty else { return ([], 0) }
    let first = calls.firstIndex(where: \.makesFile)
    let naming = calls.firstIndex(where: \.givesName)
    return (calls[try #require(first)...], try #require(naming))
  }

  /// Expects a whole file or none, which the next command takes on, and clears up; then removes it.
  private func expectFile(_ isThere: Bool, _ comment: Comment) async throws {
    #expect(try tool.names.contains("new.jwks") == isThere, comment)
    for name in try tool.names { #expect(try tool.mode(of: name) == 0o600, comment) }
    if isThere { #expect(try await tool.keys("new.jwks").map(\.status) == ["active"], comment) }
    try await tool.succeed(isThere ? "keys rotate --keys new.jwks" : making.line)
    #expect(try tool.names == ["new.jwks"], comment)
    try FileManager.default.removeItem(atPath: tool.path("new.jwks"))
  }

  @Test func killedAtEachCall() async throws {
    let (calls, naming) = try await steps()
    for (index, call) in zip(calls.indices, calls) {
      let fault = "inject=\(call.name):signal=SIGKILL:when=\(call.ordinal)"
      guard let run = try await making.run(fault) else { return }
      #expect(run.ending == .killed(by: 9), "\(call): \(run.errors)")
      try await expectFile(index > naming, "killed at \(call)")
    }
  }

  @Test func eachCallFails() async throws {
    let (calls, _) = try await steps()
    for call in calls {
      let fault = "inject=\(call.name):error=EIO:when=\(call.ordinal)"
      guard let run = try await making.run(fault) else { return }
      // Nobody has to guess whether a file is good of which it was said that it cannot be made.
      if run.status != 0 { run.expectRefusal("\(call)", 73, "new.jwks") }
      #expect(try tool.names == (run.status == 0 ? ["new.jwks"] : []), "\(call)")
      try await expectFile(run.status == 0, "\(call) fails")
    }
  }
}
