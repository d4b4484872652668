private import Locks
import PushFiles

#if canImport(Glibc)
  private import Glibc
#elseif canImport(Darwin)
  private import Darwin
#endif

/// The tool's standard output and standard error.
package struct Console: Sendable {
  /// The program's name, which precedes its messages.
  private let program: String
  /// Whether the output is a terminal.
  let isTerminal: Bool
  /// Whether the output is a terminal and `NO_COLOR` is not set.
  let isColored: Bool
  /// Whether success prints nothing.
  package var isQuiet = false

  init(program: String = "sealpush") {
    self.program = program
    isTerminal = isatty(STDOUT_FILENO) == 1
    isColored = unsafe isTerminal && getenv("NO_COLOR") == nil
  }

  /// Writes a result.
  package func print(_ text: String) throws(ToolError) { try write(Array(text.utf8)) }

  /// Writes a manual page, wrapped to the terminal's width if the output is a terminal.
  func printPage(_ page: String) throws(ToolError) { try print(FittedText.text(of: page, on: STDOUT_FILENO)) }

  /// Writes bytes that may be from outside: unchanged to a file or a pipe, escaped to a terminal.
  func write(_ bytes: [UInt8], as form: OutputForm) throws(ToolError) {
    try write(isTerminal ? form.printable(bytes) : bytes)
  }

  private func write(_ bytes: [UInt8]) throws(ToolError) {
    Self.beginOutput()
    do throws(FileError) {
      try FileDescriptor(borrowing: STDOUT_FILENO).write(bytes.span)
    } catch {
      throw Self.loss(for: error)
    }
  }

  /// The error for output that could not be written.
  ///
  /// It is reported once: the output is not closed afterwards.
  static func loss(for error: FileError) -> ToolError {
    hasOutput.withLock { $0 = false }
    guard case .system(_, let errno) = error else { return ToolError(.failed, "cannot write the output") }
    // The reader has gone, as `head` does when it has enough, so a message would reach nobody.
    return ToolError(
      .failed, errno == EPIPE ? "" : "cannot write the output: \(SystemMessage.text(of: errno))")
  }

  private static let hasOutput = Mutex(false)

  /// Notes that there is output, which a failing close can lose.
  static func beginOutput() { hasOutput.withLock { $0 = true } }

  /// Closes the output, once and if there was any; some disks report only then that they lost what was written.
  func close() throws(ToolError) {
    let hadOutput = Self.hasOutput.withLock { hasOutput in
      defer { hasOutput = false }
      return hasOutput
    }
    guard hadOutput else { return }
    guard cClose(STDOUT_FILENO) != 0, ![EBADF, EINTR].contains(errno) else { return }
    throw Self.loss(for: .system(call: "close", errno: errno))
  }

  /// Writes an error to standard error.
  func report(_ error: ToolError) {
    guard !error.message.isEmpty else { return }
    warn("error: \(error.message)")
    if let hint = error.hint { warn("hint: \(hint)") }
    if !error.page.isEmpty { Self.writeError("\n\(FittedText.text(of: error.page, on: STDERR_FILENO))") }
  }

  /// Writes a line about success to standard error, except with `--quiet`.
  package func note(_ text: String) { if !isQuiet { warn(text) } }

  /// Writes a line to standard error that must be seen even with `--quiet`: an error, a warning, or what is lost.
  package func warn(_ text: String) { Self.writeError("\(program): \(Terminal.printable(text))\n") }

  private static func writeError(_ text: String) {
    try? FileDescriptor(borrowing: STDERR_FILENO).write(Array(text.utf8).span)
  }
}

/// What kind of text the output is.
enum OutputForm {
  case json
  case text

  /// The bytes, with control characters escaped if the output is a terminal.
  func printable(_ bytes: [UInt8]) -> [UInt8] {
    switch self {
    case .json: Terminal.printable(json: bytes)
    case .text: Terminal.printable(text: bytes)
    }
  }
}

/// The tool's exit statuses, from sysexits.
package enum ExitStatus: Int32, Sendable, CaseIterable {
  case done = 0
  case failed = 1
  case usage = 64
  case badData = 65
  case noInput = 66
  case cannotCreate = 73
  case pending = 75
  case noPermission = 77

  /// Ends the process.
  func exit() -> Never { cExit(rawValue) }
}

/// An error as the tool reports it.
package struct ToolError: Error, Equatable {
  package let status: ExitStatus
  /// What is wrong; empty if a message would reach nobody.
  package let message: String
  /// What to do about it.
  package let hint: String?
  /// A manual page to show after the message; empty if none helps.
  var page = ""

  package init(_ status: ExitStatus, _ message: String, hint: String? = nil) {
    self.status = status
    self.message = message
    self.hint = hint
  }

  package static func usage(_ message: String, hint: String? = nil) -> ToolError {
    ToolError(.usage, message, hint: hint)
  }
}
