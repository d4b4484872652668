import PushFiles

#if canImport(Glibc)
  private import Glibc
#elseif canImport(Darwin)
  private import Darwin
#endif

/// A descriptor that the process was started with, by its number.
package struct GivenDescriptor {
  static let standardInput = GivenDescriptor(number: STDIN_FILENO)

  let number: Int32

  private init(number: Int32) { self.number = number }

  /// Reads a number, which an option gives.
  init(parsing text: String, option: OptionName) throws(ToolError) {
    guard let number = TimeSpan.number(in: text[...]).flatMap(Int32.init(exactly:)) else {
      throw .usage("\(option) must be an open file descriptor, such as 3, not '\(text)'")
    }
    guard ![STDOUT_FILENO, STDERR_FILENO].contains(number) else {
      throw .usage(
        "\(option) cannot be \(number), which the command writes to", hint: "\(option) 3, with 3<FILE")
    }
    self.number = number
  }

  /// What to call it in a message.
  var name: String { number == STDIN_FILENO ? "standard input" : "descriptor \(number)" }

  /// Checks that `what` can be read from the descriptor: it is open, and no terminal, which would show what is typed.
  func check(for what: String) throws(ToolError) {
    guard Self.isStream(number) else {
      throw ToolError(.noInput, "cannot read \(what) from \(name): it is not open")
    }
    guard isatty(number) == 0 else { throw .usage("\(name) is a terminal, which would show \(what)") }
  }

  /// Whether a descriptor is open and can be read; the runtime's own descriptors, such as epoll's, cannot.
  static func isStream(_ number: Int32) -> Bool {
    var status = stat()
    guard unsafe fstat(number, &status) == 0 else { return false }
    return [S_IFREG, S_IFIFO, S_IFSOCK, S_IFCHR].contains(status.st_mode & S_IFMT)
  }
}
