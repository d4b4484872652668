public import Testing

extension Trait where Self == TimeLimitTrait {
  /// Ends a test that hangs, and says which one it was.
  ///
  /// This is the one limit of every test, and guards against hangs alone: several times what a whole run takes beside
  /// others on a slow machine. Tests share the cores, so that each one's time is a part of what runs with it.
  public static var hangGuard: Self { .timeLimit(.minutes(Volume.isWhole ? 240 : 30)) }
}

/// What a test waits for, and for how long at the most.
public enum HangGuard {
  /// How long a test waits for another process or thread, which only one that hangs reaches.
  public static let patience = Duration.seconds(600)

  /// Waits until `isSo`, which another process or thread brings about, and asks so often.
  ///
  /// - Throws: ``Hang`` after ``patience``.
  public static func wait(
    for what: @autoclosure () -> String, every pause: Duration = .milliseconds(1),
    until isSo: () async throws -> Bool
  ) async throws {
    let start = ContinuousClock.now
    while try await !isSo() {
      guard start.duration(to: .now) < patience else { throw Hang(what: what()) }
      try await Task.sleep(for: pause)
    }
  }

  /// Waits while `isSo`, and takes a step each time, if there is one.
  ///
  /// - Throws: ``Hang`` with the place after ``patience``, and `CancellationError`.
  public static func wait(
    while isSo: @autoclosure () async throws -> Bool, file: String = #fileID, line: Int = #line,
    _ step: () async throws -> Void = { try await Task.sleep(for: .milliseconds(1)) }
  ) async throws {
    let start = ContinuousClock.now
    while try await isSo() {
      guard start.duration(to: .now) < patience else { throw Hang(what: "\(file):\(line)") }
      try Task.checkCancellation()
      try await step()
      await Task.yield()
    }
  }

  /// What never came.
  public struct Hang: Error {
    /// What a test waited for.
    public let what: String
  }
}
