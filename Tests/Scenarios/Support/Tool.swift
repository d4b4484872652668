import Foundation
import Glibc
import TestSupport
import Testing

/// The real tool, in a fresh folder of its own that only its owner may use.
final class Tool: Sendable {
  /// What the tool reads from standard input.
  enum Input {
    case nothing
    case text(String)
    case bytes([UInt8])
    /// A file, by its path.
    case file(String)
  }

  /// The tool's binary, which is built beside the tests'.
  static let binary = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent().appendingPathComponent("sealpush").path

  /// The folder that it runs in.
  let folder: String
  /// The folder for what is the test's and not the tool's.
  let scratch: String
  private let root: TemporaryFolder

  init() throws {
    root = try TemporaryFolder()
    folder = try root.make("work")
    scratch = try root.make("scratch")
    for path in [folder, scratch] { try TestSupport.setMode(0o700, of: path) }
  }

  deinit {
    // A test may have closed it.
    unsafe chmod(folder, 0o700)
  }

  /// Runs a command, its words separated by spaces.
  @discardableResult
  func run(
    _ line: String, input: Input = .nothing, environment: [String: String] = [:]
  ) async throws -> Run {
    try await run(words: line.split(separator: " ").map(String.init), input: input, environment: environment)
  }

  /// Runs a command.
  func run(
    words: [String], input: Input = .nothing, environment: [String: String] = [:]
  ) async throws -> Run {
    try await execute([Self.binary] + words, input: input, environment: environment)
  }

  /// Runs a shell script, to which `sealpush` is the tool.
  func shell(
    _ script: String, input: Input = .nothing, environment: [String: String] = [:]
  ) async throws -> Run {
    let function = "sealpush() { '\(Self.binary)' \"$@\"; }\n"
    return try await execute(["/bin/sh", "-c", function + script], input: input, environment: environment)
  }

  /// Runs a command that must work.
  @discardableResult
  func succeed(
    _ line: String, input: Input = .nothing, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> Run {
    let run = try await run(line, input: input)
    try #require(run.status == 0, "\(line): \(run.ending) \(run.errors)", sourceLocation: sourceLocation)
    return run
  }

  /// Runs a command that must fail as failures do: with its status, nothing on standard output, and an error.
  @discardableResult
  func refuse(
    _ line: String, _ status: Int32, _ message: String = "", input: Input = .nothing,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> Run {
    let run = try await run(line, input: input)
    run.expectRefusal(line, status, message, sourceLocation: sourceLocation)
    return run
  }

  /// Runs any program, to its end.
  func execute(
    _ words: [String], input: Input = .nothing, environment: [String: String] = [:]
  ) async throws -> Run {
    let surroundings = try surroundings(input: input, environment: environment)
    let child = try Child(words, in: surroundings)
    let ending = try await child.wait()
    return try Run(
      ending: ending, output: [UInt8](Data(contentsOf: URL(fileURLWithPath: surroundings.output))),
      errors: String(decoding: Data(contentsOf: URL(fileURLWithPath: surroundings.errors)), as: UTF8.self))
  }

  /// Files of their own for a process's streams, and little of the environment: what finds programs, and what
  /// sanitizers need.
  func surroundings(
    input: Input = .nothing, environment: [String: String] = [:]
  ) throws -> Child.Surroundings {
    let name = "\(scratch)/\(UUID().uuidString)"
    let kept = ["PATH", "LD_LIBRARY_PATH", "LD_PRELOAD", "ASAN_OPTIONS", "TSAN_OPTIONS"]
    let here = ProcessInfo.processInfo.environment.filter { kept.contains($0.key) }
    var path = "/dev/null"
    switch input {
    case .nothing: break
    case .file(let file): path = file
    case .text(let text): path = try write(Array(text.utf8), to: name + ".in")
    case .bytes(let bytes): path = try write(bytes, to: name + ".in")
    }
    return Child.Surroundings(
      environment: here.merging(environment) { $1 }, folder: folder, input: path, output: name + ".out",
      errors: name + ".err")
  }

  private func write(_ bytes: [UInt8], to path: String) throws -> String {
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    return path
  }
}

extension Run {
  /// Expects what every failure has: its status, nothing on standard output, and an error that says `message`.
  func expectRefusal(
    _ line: String, _ status: Int32, _ message: String = "", sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(self.status == status, "\(line): \(ending) \(errors)", sourceLocation: sourceLocation)
    #expect(output.isEmpty, "\(line): \(text)", sourceLocation: sourceLocation)
    #expect(isWellReported, "\(line): \(errors)", sourceLocation: sourceLocation)
    guard !message.isEmpty else { return }
    #expect(error?.contains(message) == true, "\(line): \(errors)", sourceLocation: sourceLocation)
  }
}
