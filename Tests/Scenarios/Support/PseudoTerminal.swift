import Glibc
import TestSupport

/// A terminal without a screen, for a process that looks whether it has one.
final class PseudoTerminal {
  /// What a process opens to write on it.
  let path: String
  /// All that was written on it so far.
  private(set) var written = ""
  private let master: Int32
  /// Kept open, so that what a process wrote last is not lost with the process.
  private let slave: Int32

  init() throws {
    var (master, slave) = (Int32(-1), Int32(-1))
    var name = [CChar](repeating: 0, count: 64)
    guard unsafe openpty(&master, &slave, &name, nil, nil) == 0 else {
      throw SetupError(call: "openpty", errno: errno)
    }
    for file in [master, slave] { _ = fcntl(file, F_SETFD, FD_CLOEXEC) }
    _ = fcntl(master, F_SETFL, O_NONBLOCK)
    path = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    (self.master, self.slave) = (master, slave)
  }

  deinit {
    close(slave)
    close(master)
  }

  /// Whether it shows what is typed.
  var isEchoing: Bool {
    var mode = termios()
    return unsafe tcgetattr(slave, &mode) == 0 && mode.c_lflag & tcflag_t(ECHO) != 0
  }

  /// Types on its keyboard.
  func type(_ text: String) {
    let bytes = Array(text.utf8)
    _ = unsafe write(master, bytes, bytes.count)
  }

  /// Waits until a text was written on it, so many times.
  func wait(for text: String, times: Int = 1) async throws {
    try await HangGuard.wait(for: "\(text) in \(written)") {
      if written.ranges(of: text).count >= times { return true }
      read()
      return false
    }
  }

  /// Reads what has been written, at most 4 KiB.
  func read() {
    var piece = [UInt8](repeating: 0, count: 4096)
    let count = unsafe Glibc.read(master, &piece, piece.count)
    if count > 0 { written += String(decoding: piece.prefix(count), as: UTF8.self) }
  }

  /// The lines that a person sees now, without empty ones.
  var screen: [String] {
    var lines: [String] = []
    var line: [Character] = []
    var column = 0
    for part in written.replacing("\u{1b}[K", with: "\u{1b}") {
      switch part {
      case "\r\n", "\n":
        lines.append(String(line))
        (line, column) = ([], 0)
      case "\r": column = 0
      case "\u{1b}": line.removeSubrange(min(column, line.count)...)
      default:
        if column < line.count { line[column] = part } else { line.append(part) }
        column += 1
      }
    }
    return (lines + [String(line)]).filter { !$0.isEmpty }
  }
}
