import Foundation
import Glibc
import TestSupport

/// A system call on files that the tool made, as strace(1) saw it.
struct TracedCall: CustomStringConvertible {
  /// Such as `renameat`.
  let name: String
  /// Which one of that name it is, from 1.
  let ordinal: Int
  /// The call with what it was given and what it gave.
  let description: String

  /// Whether it makes a new file: any but the folder's lock.
  var makesFile: Bool { description.contains("O_EXCL") }
  /// Whether it gives a file its name.
  var givesName: Bool { name.hasPrefix("rename") || name.hasPrefix("link") }
}

/// Runs of a command under strace(1), in which a system call fails or is the last.
struct Strace {
  let tool: Tool
  /// The command.
  let line: String

  /// What a command is to stand behind, whose calls are written to a file.
  static func words(to file: String) -> [String] { ["strace", "-f", "-qq", "-o", file] }

  /// Runs the command, with faults at calls on `paths` alone if there are any; null, with a note, where nobody may trace.
  ///
  /// - Throws: ``SetupError`` if there is no strace(1), which is no reason to test less.
  func run(_ options: String..., at paths: String...) async throws -> Run? {
    let expressions = options.flatMap { ["-e", $0] } + paths.flatMap { ["-P", $0] }
    let run = try await tool.execute(
      Self.words(to: "\(tool.scratch)/calls") + ["-e", "trace=%file,%desc"] + expressions + [Tool.binary]
        + line.split(separator: " ").map(String.init))
    guard !run.errors.hasPrefix("env: ") else {
      throw SetupError(call: "strace(1), which Scripts/prepare installs", errno: ENOENT)
    }
    guard run.errors.hasPrefix("strace: "), run.errors.contains("Operation not permitted") else { return run }
    print("Not tested: strace(1) may not trace here.")
    return nil
  }

  /// Runs the command, and gives its calls on files, from the opening of the key file's folder to the end; none, with
  /// a note, where nobody may trace.
  func calls() async throws -> [TracedCall] {
    guard let run = try await run() else { return [] }
    guard run.status == 0 else { throw SetupError(call: "\(line): \(run.errors)", errno: 0) }
    var counts: [String: Int] = [:]
    let text = try String(contentsOfFile: "\(tool.scratch)/calls", encoding: .utf8)
    let calls = text.split(separator: "\n").compactMap { line -> TracedCall? in
      let call = line.drop { $0 != " " }.drop { $0 == " " }
      let name = String(call.prefix { $0 != "(" })
      guard call.contains("("), name != "mmap" else { return nil }
      counts[name, default: 0] += 1
      return TracedCall(name: name, ordinal: counts[name] ?? 0, description: String(call))
    }
    return Array(calls.drop { !$0.description.contains("O_DIRECTORY") })
  }
}
