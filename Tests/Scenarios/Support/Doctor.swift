import Foundation
import Testing

/// What `keys doctor --json` finds.
struct Finding: Decodable {
  let severity: String
  let code: String
  let kid: String?
  let message: String
  let mend: String
}

extension Tool {
  /// What the doctor finds.
  func findings(
    _ options: String, status: Int32, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> [Finding] {
    let run = try await run("keys doctor --json \(options)")
    #expect(run.status == status, "\(options): \(run.text) \(run.errors)", sourceLocation: sourceLocation)
    return try run.lines.map { try JSONDecoder().decode(Finding.self, from: Data($0.utf8)) }
  }

  /// Pastes a command into a shell, in which the tool's clock shows `now`.
  @discardableResult
  func paste(
    _ command: String, now: Int, environment: [String: String] = [:],
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> Run {
    let clock = """
      sealpush() {
        case "$2" in
          new|rotate|prune|confirm|sign-senders) '\(Tool.binary)' "$@" --now \(now) ;;
          *) '\(Tool.binary)' "$@" ;;
        esac
      }

      """
    let run = try await shell(clock + command, environment: environment)
    #expect(run.status == 0, "\(command): \(run.errors)", sourceLocation: sourceLocation)
    return run
  }

  /// Gives the others what a command has written for them, and fetches the copy of what they have again.
  func handOut(_ copy: String) throws { try write(try contents("\(copy).to-hand-out"), to: copy) }

  /// Expects one finding, pastes what is said to mend it, hands out what that has written, and expects none; gives the
  /// finding.
  @discardableResult
  func mend(
    _ options: String, _ severity: String, _ code: String, now: Int = start, handingOut copy: String? = nil,
    environment: [String: String] = [:], sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> Finding {
    let options = "\(options) --now \(now)"
    let found = try await findings(
      options, status: severity == "error" ? 65 : 0, sourceLocation: sourceLocation)
    let first = try #require(found.first, sourceLocation: sourceLocation)
    #expect(found.map(\.code) == [code], sourceLocation: sourceLocation)
    #expect(first.severity == severity && !first.message.isEmpty, sourceLocation: sourceLocation)
    try await paste(first.mend, now: now, environment: environment, sourceLocation: sourceLocation)
    if let copy {
      // Not silent before others have it.
      let still = try await findings(
        options, status: severity == "error" ? 65 : 0, sourceLocation: sourceLocation)
      #expect(still.map(\.code) == [code], sourceLocation: sourceLocation)
      try handOut(copy)
    }
    let left = try await findings(options, status: 0, sourceLocation: sourceLocation)
    #expect(left.isEmpty, "\(left)", sourceLocation: sourceLocation)
    return first
  }

  /// Replaces a text in a file.
  func edit(_ name: String, _ text: String, _ other: String) throws {
    let old = try self.text(name)
    #expect(old.contains(text))
    try write(old.replacingOccurrences(of: text, with: other), to: name)
  }

  /// The names of the keys of a public set's text.
  func publicKeys(_ name: String) throws -> [String] {
    try text(name).split(separator: "\n").compactMap { line in
      line.split(separator: #""kid":""#).dropFirst().first.map { String($0.prefix(43)) }
    }
  }
}
