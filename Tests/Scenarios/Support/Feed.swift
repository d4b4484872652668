import Foundation
import Glibc
import TestSupport

/// A line of `seal --lines`' output.
struct SealedLine: Decodable {
  struct Payload: Decodable {
    let envelope: String

    enum CodingKeys: String, CodingKey { case envelope = "ENCRYPTED_DATA" }
  }

  let line: Int
  let headers: [String: String]
  let payload: Payload
  let deviceToken: String?
  let environment: String?

  enum CodingKeys: String, CodingKey {
    case line, headers, payload, environment
    case deviceToken = "device_token"
  }
}

/// A line of the file of `--errors`.
struct FailedLine: Decodable, Equatable {
  let line: Int
  let error: String
}

/// Input that does not end.
final class Feed {
  let surroundings: Child.Surroundings
  private let pipe: Int32
  private let source: Child?

  /// Repeats a line, or gives what is written.
  init(_ tool: Tool, of line: String?) throws {
    let path = "\(tool.scratch)/pipe"
    guard unsafe mkfifo(path, 0o600) == 0 else { throw SetupError(call: "mkfifo", errno: errno) }
    // Open at both ends, so that nobody waits for the other one.
    pipe = unsafe open(path, O_RDWR | O_CLOEXEC)
    surroundings = try tool.surroundings(input: .file(path))
    guard let line else {
      source = nil
      return
    }
    var surroundings = try tool.surroundings()
    surroundings.output = path
    source = try Child(["yes", line], in: surroundings)
  }

  deinit { close(pipe) }

  var output: [UInt8] {
    [UInt8]((try? Data(contentsOf: URL(fileURLWithPath: surroundings.output))) ?? Data())
  }

  var errors: String { (try? String(contentsOfFile: surroundings.errors, encoding: .utf8)) ?? "" }

  func write(_ text: String) {
    let bytes = Array(text.utf8)
    _ = unsafe Glibc.write(pipe, bytes, bytes.count)
  }

  /// Waits until so many lines have come out.
  func waitForOutput(lines count: Int = 1) async throws {
    try await HangGuard.wait(for: "\(count) lines of output") {
      output.count(where: { $0 == UInt8(ascii: "\n") }) >= count
    }
  }
}
