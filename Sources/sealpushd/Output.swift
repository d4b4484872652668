internal import PushFiles
private import Glibc

/// The tool's standard output and error.
enum Output {
  /// Writes a result at once.
  static func print(_ text: String) { write(text, to: STDOUT_FILENO) }

  /// Writes a line to standard error.
  static func warn(_ text: String) { write("sealpushd: \(PrintableText.escaped(text))\n", to: STDERR_FILENO) }

  /// Writes the lines that say what went wrong.
  static func report(_ error: ToolError) {
    warn("error: \(error.message)")
    if let hint = error.hint { warn("hint: \(hint)") }
  }

  private static func write(_ text: String, to descriptor: CInt) {
    // A reader that has gone wants no more.
    try? FileDescriptor(borrowing: descriptor).write(Array(text.utf8).span)
  }
}

/// How the tool ends (sysexits).
enum ExitStatus: Int32, Sendable {
  case done = 0
  case failed = 1
  case usage = 64
  case badData = 65
  case noInput = 66
  case cannotCreate = 73
}

/// An error as the tool reports it.
struct ToolError: Error {
  let status: ExitStatus
  /// What is wrong.
  let message: String
  /// What to do about it.
  var hint: String?

  init(_ status: ExitStatus, _ message: String, hint: String? = nil) {
    (self.status, self.message, self.hint) = (status, message, hint)
  }

  static func usage(_ message: String, hint: String? = nil) -> ToolError {
    ToolError(.usage, message, hint: hint)
  }
}
