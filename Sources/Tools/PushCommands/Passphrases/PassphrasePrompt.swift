import PushFiles
import PushKeys

#if canImport(Glibc)
  private import Glibc
#elseif canImport(Darwin)
  private import Darwin
#endif

/// Asks a person for a passphrase, on the terminal and not through the standard streams.
enum PassphrasePrompt {
  /// Asks for a file's passphrase; nil without a terminal.
  static func ask(for path: String) throws(ToolError) -> Passphrase? {
    guard let terminal = SilentTerminal() else { return nil }
    return try terminal.ask("Passphrase of \(Terminal.printable(path)): ")
  }

  /// Asks for a new passphrase, twice.
  static func askForNew(for path: String, hint: String) throws(ToolError) -> Passphrase {
    guard let terminal = SilentTerminal() else {
      throw ToolError(.noPermission, "there is no terminal to ask for a passphrase", hint: hint)
    }
    let passphrase = try terminal.ask("New passphrase of \(Terminal.printable(path)): ")
    guard try terminal.ask("Repeat it: ").isSame(as: passphrase) else {
      throw ToolError(.failed, "the two passphrases differ", hint: "nothing was changed; try again")
    }
    return passphrase
  }
}

/// The process's terminal, which does not show what is typed as an answer.
struct SilentTerminal: ~Copyable {
  /// The signals that can end the process; the terminal must then show again what is typed.
  private static let signals = [SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGALRM, SIGUSR1, SIGUSR2, SIGXCPU]
  /// The terminal, and the mode that the signal handler restores.
  ///
  /// Nil at first, because the compiler reserves too few bytes for a constant of a C structure that has padding.
  private nonisolated(unsafe) static var shown: (file: Int32, mode: termios)?

  private let file: Int32
  private let mode: termios

  /// Opens the terminal; nil if the process has none.
  init?() {
    let file = unsafe open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
    var mode = termios()
    guard file >= 0 else { return nil }
    guard unsafe tcgetattr(file, &mode) == 0 else {
      close(file)
      return nil
    }
    self.file = file
    self.mode = mode
  }

  deinit { close(file) }

  /// Shows a question, and reads a line as the answer.
  ///
  /// Input that was typed before the question or after the line is dropped: a shell must not get it.
  borrowing func ask(_ question: String) throws(ToolError) -> Passphrase {
    unsafe Self.shown = (file, mode)
    let terminal = FileDescriptor(borrowing: file)
    let actions = Self.catchSignals()
    defer { Self.restore(actions) }
    var silent = mode
    silent.c_lflag &= ~tcflag_t(ECHO)
    guard unsafe tcsetattr(file, TCSAFLUSH, &silent) == 0 else {
      throw ToolError(.failed, "cannot ask on the terminal: \(SystemMessage.current)")
    }
    defer {
      _ = unsafe withUnsafePointer(to: mode) { unsafe tcsetattr(file, TCSAFLUSH, $0) }
      try? terminal.write([UInt8(ascii: "\n")].span)
    }
    guard (try? terminal.write(Array(question.utf8).span)) != nil else {
      throw ToolError(.failed, "cannot ask on the terminal: \(SystemMessage.current)")
    }
    return try PassphraseSource.readLine(from: file, name: "the terminal")
  }

  /// Lets signals restore the terminal before they take effect, and returns their former actions.
  private static func catchSignals() -> [(signal: Int32, action: sigaction)] {
    (signals + [SIGTSTP]).map { signal in
      var (new, old) = (sigaction(), sigaction())
      unsafe sigemptyset(&new.sa_mask)
      new.sa_flags = Int32(truncatingIfNeeded: SA_RESETHAND)
      new.handler = { number in
        if var shown = unsafe SilentTerminal.shown { unsafe tcsetattr(shown.file, TCSAFLUSH, &shown.mode) }
        // The signal is delivered again when this handler returns, and then has its default effect.
        raise(number)
      }
      // Ctrl-Z must not stop the process in the middle of a line, and ignored signals stay ignored, as under nohup.
      if signal == SIGTSTP || Interruption.isIgnored(signal) {
        new.handler = SIG_IGN
      }
      unsafe sigaction(signal, &new, &old)
      return (signal, old)
    }
  }

  private static func restore(_ actions: [(signal: Int32, action: sigaction)]) {
    for (signal, action) in actions {
      _ = unsafe withUnsafePointer(to: action) { unsafe sigaction(signal, $0, nil) }
    }
  }
}
