public import Testing

extension Trait where Self == TimeLimitTrait {
  /// Ends a test that hangs, and says which one it was.
  ///
  /// This is the one limit of every test, and guards against hangs alone: ten times what a whole run takes beside others
  /// on a slow machine. Tests share the cores, so that each one's time is a part of what runs with it.
  public static var hangGuard: Self { .timeLimit(.minutes(60)) }
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

  /// What never came.
  public struct Hang: Error {
    /// What a test waited for.
    public let what: String
  }
}
