import PushFiles

#if canImport(Glibc)
  private import Glibc
#elseif canImport(Darwin)
  private import Darwin
#endif

/// Another implementation's opener: a program that answers each line of its input with a line of output.
final class OpenerProcess {
  /// Why an opener gave no answer.
  enum Failure: Error {
    /// It exited, or closed a stream.
    case ended
    /// It took too long.
    case late
    /// The line is longer than 1 MiB.
    case tooLong
  }

  private static let maximumSize = 1 << 20
  private static let patience = Duration.seconds(20)

  private let process: pid_t
  private let input: Int32
  private let output: Int32
  private var pending: [UInt8] = []

  /// Starts a command line through the shell; its standard error is the tool's own.
  init(command: String) throws(ToolError) {
    var (toIt, fromIt) = ([Int32](repeating: -1, count: 2), [Int32](repeating: -1, count: 2))
    guard unsafe pipe(&toIt) == 0, unsafe pipe(&fromIt) == 0 else {
      throw ToolError(.failed, "cannot start the opener: \(SystemMessage.current)")
    }
    for end in toIt + fromIt { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    (input, output) = (toIt[1], fromIt[0])
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
    #else
      var actions = unsafe posix_spawn_file_actions_t()
    #endif
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_adddup2(&actions, toIt[0], 0)
    unsafe posix_spawn_file_actions_adddup2(&actions, fromIt[1], 1)
    let words = ["sh", "-c", command]
    var arguments = unsafe words.map { unsafe strdup($0) } + [nil]
    defer { unsafe arguments.forEach { unsafe free($0) } }
    var process: pid_t = 0
    let code = unsafe posix_spawnp(&process, "sh", &actions, nil, &arguments, environment)
    close(toIt[0])
    close(fromIt[1])
    guard code == 0 else {
      throw ToolError(.failed, "cannot start the opener: \(SystemMessage.text(of: code))")
    }
    self.process = process
  }

  deinit {
    close(input)
    close(output)
    kill(process, SIGTERM)
    var status: Int32 = 0
    unsafe waitpid(process, &status, 0)
  }

  /// The answer to a line, without line feeds.
  ///
  /// - Throws: ``Failure``, after which the process cannot be used any more.
  func answer(to line: [UInt8]) throws(Failure) -> [UInt8] {
    let end = ContinuousClock.now + Self.patience
    let words = line + [UInt8(ascii: "\n")]
    guard (try? FileDescriptor(borrowing: input).write(words.span)) != nil else { throw .ended }
    while true {
      if let place = pending.firstIndex(of: UInt8(ascii: "\n")) {
        defer { pending.removeFirst(place + 1) }
        return Array(pending[..<place])
      }
      guard pending.count <= Self.maximumSize else { throw .tooLong }
      try read(before: end)
    }
  }

  private func read(before end: ContinuousClock.Instant) throws(Failure) {
    let milliseconds = ContinuousClock.now.duration(to: end) / .milliseconds(1)
    var file = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
    let count = unsafe poll(&file, 1, Int32(max(0, milliseconds)))
    if count < 0 && errno == EINTR { return }
    guard count > 0 else { throw .late }
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    let size = unsafe cRead(output, &piece, piece.count)
    guard size > 0 else { throw .ended }
    pending += piece.prefix(size)
  }
}
