import Foundation
import Glibc
import TestSupport

/// A process that a test started, in a session of its own: it has no terminal, unless one is among its streams.
final class Child {
  /// How a process ended.
  enum Ending: Equatable {
    /// It exited with a status.
    case exited(Int32)
    /// It died by a signal.
    case killed(by: Int32)
    /// It took too long, and was killed for it.
    case timedOut
  }

  /// Where a process reads, writes and works.
  struct Surroundings {
    var environment: [String: String]
    var folder: String
    /// Paths of the three standard streams.
    var input: String
    var output: String
    var errors: String
    /// Whether writing to the output waits for who reads it.
    var isOutputWaiting = true
  }

  /// `POSIX_SPAWN_SETSID`, which Swift does not see.
  private static let ownSession: Int32 = 0x80

  /// The process's id; as long as nobody has waited for it, no other process gets it.
  let processID: pid_t
  private var ending: Ending?

  /// Starts a program, with no signal blocked or ignored.
  init(_ words: [String], in surroundings: Surroundings) throws {
    var actions = unsafe posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    unsafe posix_spawn_file_actions_init(&actions)
    unsafe posix_spawnattr_init(&attributes)
    defer {
      unsafe posix_spawn_file_actions_destroy(&actions)
      unsafe posix_spawnattr_destroy(&attributes)
    }
    let flags = O_WRONLY | O_CREAT | O_TRUNC
    let outputFlags = flags | (surroundings.isOutputWaiting ? 0 : O_NONBLOCK)
    unsafe posix_spawn_file_actions_addopen(&actions, 0, surroundings.input, O_RDONLY, 0)
    unsafe posix_spawn_file_actions_addopen(&actions, 1, surroundings.output, outputFlags, 0o600)
    unsafe posix_spawn_file_actions_addopen(&actions, 2, surroundings.errors, flags, 0o600)
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe posix_spawnattr_setsigmask(&attributes, &signals)
    unsafe sigfillset(&signals)
    unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
    unsafe posix_spawnattr_setflags(
      &attributes, Int16(Self.ownSession | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

    let words = ["env", "--chdir", surroundings.folder] + words
    var arguments = unsafe words.map { unsafe strdup($0) } + [nil]
    var environment = unsafe surroundings.environment.map { unsafe strdup("\($0.key)=\($0.value)") } + [nil]
    defer { unsafe (arguments + environment).forEach { unsafe free($0) } }
    var processID: pid_t = 0
    let code = unsafe posix_spawnp(&processID, words[0], &actions, &attributes, &arguments, &environment)
    guard code == 0 else { throw SetupError(call: "posix_spawnp \(words[0])", errno: code) }
    self.processID = processID
  }

  deinit { if ending == nil { _ = kill() } }

  /// Sends a signal to the process.
  func send(_ signal: Int32) { if ending == nil { Glibc.kill(processID, signal) } }

  /// Waits for the end, and kills the process and its children if it hangs.
  func wait() async throws -> Ending {
    do {
      try await HangGuard.wait(for: "the end of a process") { check() != nil }
    } catch is HangGuard.Hang {
      return kill()
    }
    guard let ending else { preconditionFailure("it has ended") }
    return ending
  }

  /// How the process ended; null while it runs.
  func check() -> Ending? {
    var status: Int32 = 0
    if ending == nil, unsafe waitpid(processID, &status, WNOHANG) == processID {
      let signal = status & 0x7f
      ending = signal == 0 ? .exited(status >> 8 & 0xff) : .killed(by: signal)
    }
    return ending
  }

  private func kill() -> Ending {
    Glibc.kill(-processID, SIGKILL)
    var status: Int32 = 0
    unsafe waitpid(processID, &status, 0)
    ending = .timedOut
    return .timedOut
  }
}
