private import Glibc

/// How far the lines have come, for a person who watches.
struct LineProgress {
  private static let interval = Duration.milliseconds(200)

  private let isShown: Bool
  private var start: (instant: ContinuousClock.Instant, position: Int64)?
  private var shownAt: ContinuousClock.Instant?

  /// Makes one for standard error; it is never shown if that is no terminal, or if the lines of output, whose path
  /// this is, go to a terminal too.
  init(besides output: String?) {
    let isOutputOnTerminal = [nil, "-"].contains(output) && isatty(STDOUT_FILENO) == 1
    isShown = isatty(STDERR_FILENO) == 1 && !isOutputOnTerminal
  }

  /// Notes where in the input the first line is that is sealed.
  mutating func begin(at position: Int64) {
    if start == nil { start = (.now, position) }
  }

  /// Shows the state, not more often than five times a second.
  mutating func show(lines: Int, failures: Int, position: Int64, size: Int64?) {
    let now = ContinuousClock.now
    guard isShown, let start, now - (shownAt ?? start.instant) >= Self.interval else { return }
    shownAt = now
    let line = ProgressLine(
      elapsed: now - start.instant, lines: lines, failures: failures, start: start.position,
      position: position, size: size)
    write("\r\u{1b}[K\(line.text)")
  }

  /// Takes it away, before something else is written.
  func clear() {
    guard shownAt != nil else { return }
    write("\r\u{1b}[K")
  }

  private func write(_ text: String) { _ = FileOutput.writeAll(Array(text.utf8), to: STDERR_FILENO) }
}
