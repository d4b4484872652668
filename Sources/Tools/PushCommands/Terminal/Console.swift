import PushFiles
private import Synchronization

#if canImport(Glibc)
  private import Glibc
#elseif canImport(Darwin)
  private import Darwin
#endif

/// The standard output and error of the tool.
package struct Console: Sendable {
  /// The program, whose name precedes what it says.
  private let program: String
  /// Whether the output is a terminal.
  let isTerminal: Bool
  /// Whether it is one, and `NO_COLOR` is not set.
  let isColored: Bool
  /// Whether good news is kept back.
  package var isQuiet = false

  init(program: String = "sealpush") {
    self.program = program
    isTerminal = isatty(STDOUT_FILENO) == 1
    isColored = unsafe isTerminal && getenv("NO_COLOR") == nil
  }

  /// Writes a result.
  package func print(_ text: String) throws(ToolError) { try write(Array(text.utf8)) }

  /// Writes a page of the manual in the width of the terminal, if the output is one.
  func printPage(_ page: String) throws(ToolError) { try print(FittedText.text(of: page, on: STDOUT_FILENO)) }

  /// Writes bytes that may be from outside: as they are to a file or a pipe, and escaped to a terminal.
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

  /// The error of output that could not be written; it is reported once, so the output is not closed afterwards.
  static func loss(for error: FileError) -> ToolError {
    hasOutput.store(false, ordering: .relaxed)
    guard case .system(_, let errno) = error else { return ToolError(.failed, "cannot write the output") }
    // The reader has gone, as `head` does when it has enough: nobody is left to tell.
    return ToolError(
      .failed, errno == EPIPE ? "" : "cannot write the output: \(SystemMessage.text(of: errno))")
  }

  private static let hasOutput = Atomic(false)

  /// Notes that there is output, which can be lost.
  static func beginOutput() { hasOutput.store(true, ordering: .relaxed) }

  /// Closes the output, once and if there is any; some disks say only then that they did not take what was written.
  func close() throws(ToolError) {
    guard Self.hasOutput.exchange(false, ordering: .relaxed) else { return }
    guard cClose(STDOUT_FILENO) != 0, ![EBADF, EINTR].contains(errno) else { return }
    throw Self.loss(for: .system(call: "close", errno: errno))
  }

  /// Writes the lines that say what went wrong.
  func report(_ error: ToolError) {
    guard !error.message.isEmpty else { return }
    warn("error: \(error.message)")
    if let hint = error.hint { warn("hint: \(hint)") }
    if !error.page.isEmpty { Self.writeError("\n\(FittedText.text(of: error.page, on: STDERR_FILENO))") }
  }

  /// Writes a line of good news to standard error, unless the tool is to be quiet.
  package func note(_ text: String) { if !isQuiet { warn(text) } }

  /// Writes a line to standard error that must be seen: an error, a warning, or what is lost.
  package func warn(_ text: String) { Self.writeError("\(program): \(Terminal.printable(text))\n") }

  private static func writeError(_ text: String) {
    try? FileDescriptor(borrowing: STDERR_FILENO).write(Array(text.utf8).span)
  }
}

/// What bytes of output are.
enum OutputForm {
  case json
  case text

  /// The same, so that they do not steer a terminal.
  func printable(_ bytes: [UInt8]) -> [UInt8] {
    switch self {
    case .json: Terminal.printable(json: bytes)
    case .text: Terminal.printable(text: bytes)
    }
  }
}

/// How the tool ends (sysexits).
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
  /// What is wrong; empty if there is nobody to tell.
  package let message: String
  /// What to do about it.
  let hint: String?
  /// A page of the manual to show after it; empty if none helps.
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
