import Foundation

/// What a run of the tool left.
struct Run {
  let ending: Child.Ending
  /// The bytes on standard output.
  let output: [UInt8]
  /// The text on standard error.
  let errors: String

  /// The exit status; null if it did not exit by itself.
  var status: Int32? {
    if case .exited(let status) = ending { status } else { nil }
  }

  /// Standard output as text.
  var text: String { String(decoding: output, as: UTF8.self) }

  /// The lines of standard output.
  var lines: [String] { text.split(separator: "\n").map(String.init) }

  /// What follows `sealpush: error: ` in the first line of standard error; null if something else does.
  var error: String? { said("sealpush: error: ", inLine: 0) }

  /// What follows `sealpush: hint: ` in the second.
  var hint: String? { said("sealpush: hint: ", inLine: 1) }

  /// Whether standard error has the form that every failure has: one error, at most one hint.
  var isWellReported: Bool {
    let count = errors.split(separator: "\n", omittingEmptySubsequences: false).count - 1
    return errors.hasSuffix("\n") && error != nil && (count == 1 || count == 2 && hint != nil)
  }

  /// Reads standard output as JSON.
  func json<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
    try JSONDecoder().decode(type, from: Data(output))
  }

  private func said(_ beginning: String, inLine index: Int) -> String? {
    let lines = errors.split(separator: "\n", omittingEmptySubsequences: false)
    guard index < lines.count, lines[index].hasPrefix(beginning) else { return nil }
    return String(lines[index].dropFirst(beginning.count))
  }
}

/// A key in the list that `keys list --json` writes.
struct ListedKey: Decodable, Equatable {
  let kid: String
  let role: String
  let alg: String
  let suite: String?
  let status: String
  let iat: Int
  let nbf: Int?
  let exp: Int?
}

/// What `simulate --json` writes.
struct Simulated: Decodable {
  struct Shown: Decodable {
    let title: String
    let subtitle: String
    let body: String
    let badge: Int?
    let category: String
    let threadIdentifier: String
  }

  let ran: Bool
  let notRun: String?
  let outcome: String
  let reason: String?
  let shown: Shown
}
