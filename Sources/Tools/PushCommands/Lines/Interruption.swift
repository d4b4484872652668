private import Dispatch
import PushFiles

#if canImport(Glibc)
  private import Glibc
#elseif canImport(Darwin)
  private import Darwin
#endif

/// Ctrl-C and SIGTERM, caught so that the tool stops after a whole line; and SIGHUP, which asks it to read files again.
package enum Interruption {
  /// The pipe into which the signal handler writes the number of a caught signal.
  private nonisolated(unsafe) static var (readEnd, writeEnd): (Int32, Int32) = (-1, -1)

  /// The same for SIGHUP; neither end ever waits.
  private nonisolated(unsafe) static var (hangups, hangupEnd): (Int32, Int32) = (-1, -1)

  /// Whether SIGHUP has arrived since the last call.
  package static func takeHangup() -> Bool {
    var bytes = [UInt8](repeating: 0, count: 64)
    return unsafe cRead(hangups, &bytes, bytes.count) > 0
  }

  /// Catches SIGHUP from now on, unless it is ignored.
  package static func watchHangups() {
    var ends: [Int32] = [-1, -1]
    guard unsafe pipe(&ends) == 0, ends.allSatisfy({ fcntl($0, F_SETFL, O_NONBLOCK) == 0 }) else { return }
    unsafe (hangups, hangupEnd) = (ends[0], ends[1])
    var action = sigaction()
    action.handler = { _ in
      var byte: UInt8 = 0
      _ = unsafe cWrite(Interruption.hangupEnd, &byte, 1)
    }
    action.sa_flags = SA_RESTART
    unsafe sigemptyset(&action.sa_mask)
    if !isIgnored(SIGHUP) { unsafe sigaction(SIGHUP, &action, nil) }
  }

  /// Catches SIGINT and SIGTERM from now on; a second one kills the process.
  ///
  /// An ignored signal stays ignored, as in a job that a script started in the background.
  package static func watch() throws(ToolError) {
    var ends: [Int32] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else {
      throw ToolError(.failed, "cannot make a pipe: \(SystemMessage.current)")
    }
    unsafe (readEnd, writeEnd) = (ends[0], ends[1])
    var action = sigaction()
    action.handler = { number in
      var byte = UInt8(truncatingIfNeeded: number)
      _ = unsafe cWrite(Interruption.writeEnd, &byte, 1)
    }
    action.sa_flags = Int32(truncatingIfNeeded: SA_RESETHAND)
    unsafe sigemptyset(&action.sa_mask)
    for signal in [SIGINT, SIGTERM] where !isIgnored(signal) { unsafe sigaction(signal, &action, nil) }
  }

  /// Whether the process ignores a signal.
  static func isIgnored(_ signal: Int32) -> Bool {
    var action = sigaction()
    unsafe sigaction(signal, nil, &action)
    return unsafe unsafeBitCast(action.handler, to: Int.self)
      == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  /// The result of a call, which is repeated if another signal interrupts it.
  static func retrying(_ call: () -> Int32) -> Int32 {
    while true {
      let result = call()
      guard result < 0 && errno == EINTR else { return result }
    }
  }

  private static let waiting = DispatchQueue(label: "sealpush.input")

  /// Waits until a signal is caught.
  package static func wait() async { while await waitForInput(on: noFile) {} }

  /// A descriptor that is never ready.
  private static let noFile: Int32 = -1

  /// Waits until `file` can be read; false if a signal was caught.
  ///
  /// The wait has its own thread: the tasks' threads are for sealing, and a machine with one core has only one of them.
  static func waitForInput(on file: Int32) async -> Bool {
    if isReady(file, isWaiting: false) == true { return true }
    return await withCheckedContinuation { continuation in
      waiting.async { continuation.resume(returning: isReady(file, isWaiting: true) != nil) }
    }
  }

  /// Whether `file` can be read without waiting; with `isWaiting`, waits until it can.
  ///
  /// Nil if a signal was caught.
  private static func isReady(_ file: Int32, isWaiting: Bool) -> Bool? {
    var files = [
      pollfd(fd: file, events: Int16(POLLIN), revents: 0),
      pollfd(fd: unsafe readEnd, events: Int16(POLLIN), revents: 0),
    ]
    while true {
      let count = unsafe poll(&files, nfds_t(files.count), isWaiting ? -1 : 0)
      if count < 0 && errno == EINTR { continue }
      // An error of poll itself shows when the file is read.
      guard files[1].revents == 0 else { return nil }
      return count < 0 || files[0].revents != 0
    }
  }

  /// Kills the process by the signal that was caught, as its sender expects: a shell's status is 130 or 143.
  package static func die() {
    var number: UInt8 = 0
    guard unsafe cRead(readEnd, &number, 1) == 1 else { return }
    _ = signal(Int32(number), SIG_DFL)
    // The threads that tasks run on block signals.
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe sigaddset(&signals, Int32(number))
    unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    _ = cRaise(Int32(number))
  }
}
