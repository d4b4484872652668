private import Glibc

/// How the tool ends (sysexits).
enum ExitStatus: Int32, Sendable {
  case done = 0
  case failed = 1
  case usage = 64
  case badData = 65
  case noInput = 66
  case cannotCreate = 73
  case noPermission = 77

  /// Ends the process.
  func exit() -> Never { Glibc.exit(rawValue) }
}

/// What the tool says when it cannot do what was asked.
struct ToolError: Error, Equatable {
  let status: ExitStatus
  /// What is wrong; empty if there is nobody to tell.
  let message: String
  /// What to do about it.
  let hint: String?

  init(_ status: ExitStatus, _ message: String, hint: String? = nil) {
    self.status = status
    self.message = message
    self.hint = hint
  }

  static func usage(_ message: String, hint: String? = nil) -> ToolError {
    ToolError(.usage, message, hint: hint)
  }
}
