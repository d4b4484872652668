private import Glibc

/// A wish of the operator or the system to stop, as something to wait for: Ctrl-C or SIGTERM.
enum Interruption {
  private nonisolated(unsafe) static var writeEnd: Int32 = -1

  /// Takes the signals over, and gives the descriptor from which a caught one's number can be read; a second one ends
  /// the process at once.
  ///
  /// What is ignored stays so, as in a job that a script started in the background.
  static func watch() throws(ToolError) -> Int32 {
    var ends: [Int32] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else {
      throw ToolError(.failed, "cannot make a pipe: \(SystemMessage.current)")
    }
    unsafe writeEnd = ends[1]
    var action = sigaction()
    unsafe action.__sigaction_handler.sa_handler = { number in
      var byte = UInt8(truncatingIfNeeded: number)
      _ = unsafe Glibc.write(Interruption.writeEnd, &byte, 1)
    }
    action.sa_flags = Int32(truncatingIfNeeded: SA_RESETHAND)
    unsafe sigemptyset(&action.sa_mask)
    for signal in [SIGINT, SIGTERM] where !isIgnored(signal) { unsafe sigaction(signal, &action, nil) }
    return ends[0]
  }

  /// Whether the process ignores a signal.
  static func isIgnored(_ signal: Int32) -> Bool {
    var action = sigaction()
    unsafe sigaction(signal, nil, &action)
    return unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
      == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  /// The result of a call, which is begun again if another signal interrupts it.
  static func retrying(_ call: () -> Int32) -> Int32 {
    while true {
      let result = call()
      guard result < 0 && errno == EINTR else { return result }
    }
  }

  /// Whether `file` can be read without waiting; with `isWaiting`, waits until it can.
  ///
  /// Null if a signal was caught.
  static func isReady(_ file: Int32, isWaiting: Bool, watch: Int32) -> Bool? {
    var files = [
      pollfd(fd: file, events: Int16(POLLIN), revents: 0),
      pollfd(fd: watch, events: Int16(POLLIN), revents: 0),
    ]
    while true {
      let count = unsafe poll(&files, nfds_t(files.count), isWaiting ? -1 : 0)
      if count < 0 && errno == EINTR { continue }
      // An error of poll itself is left to read to find.
      guard files[1].revents == 0 else { return nil }
      return count < 0 || files[0].revents != 0
    }
  }

  /// Ends the process by the signal that was caught, as whoever sent it expects: a shell's status is 130 or 143.
  static func die(_ watch: Int32) {
    var number: UInt8 = 0
    guard unsafe Glibc.read(watch, &number, 1) == 1 else { return }
    _ = Glibc.signal(Int32(number), SIG_DFL)
    // The threads that tasks run on block signals.
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe sigaddset(&signals, Int32(number))
    unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    _ = Glibc.raise(Int32(number))
  }
}
