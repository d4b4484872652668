private import Glibc
private import Synchronization

/// The standard output and error of the tool.
struct Console: Sendable {
  /// Whether a person looks at the output, who did not ask for plain text.
  let isColored: Bool

  init() {
    isColored = unsafe isatty(STDOUT_FILENO) == 1 && getenv("NO_COLOR") == nil
  }

  /// Writes a result.
  func print(_ text: String) throws(ToolError) { try write(Array(text.utf8)) }

  /// Writes a result's bytes as they are.
  func write(_ bytes: [UInt8]) throws(ToolError) {
    Self.beginOutput()
    guard FileOutput.writeAll(bytes, to: STDOUT_FILENO) else { throw Self.loss() }
  }

  /// What is wrong with the output that could not be written, by `errno`; said once, so it is not closed
  /// afterwards.
  static func loss() -> ToolError {
    hasOutput.store(false, ordering: .relaxed)
    // The reader is gone, as `head` is when it has enough: nobody to tell.
    return ToolError(.failed, errno == EPIPE ? "" : "cannot write the output: \(SystemMessage.current)")
  }

  private static let hasOutput = Atomic(false)

  /// Says that there is output, which can be lost.
  static func beginOutput() { hasOutput.store(true, ordering: .relaxed) }

  /// Closes the output, once and if there is any; some disks say only then that they did not take what was written.
  func close() throws(ToolError) {
    guard Self.hasOutput.exchange(false, ordering: .relaxed) else { return }
    guard Glibc.close(STDOUT_FILENO) != 0, ![EBADF, EINTR].contains(errno) else { return }
    throw Self.loss()
  }

  /// Writes the lines that say what went wrong.
  func report(_ error: ToolError) {
    guard !error.message.isEmpty else { return }
    note("error: \(error.message)")
    if let hint = error.hint { note("hint: \(hint)") }
  }

  /// Writes a line for the operator.
  func note(_ text: String) {
    _ = FileOutput.writeAll(Array("sealpush: \(Terminal.printable(text))\n".utf8), to: STDERR_FILENO)
  }
}

/// What the system says of its last error.
enum SystemMessage {
  static var current: String { text(of: errno) }

  static func text(of code: Int32) -> String { unsafe String(cString: strerror(code)) }
}
