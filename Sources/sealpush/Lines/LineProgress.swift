private import Glibc

/// How far the lines have come, for a person who watches.
struct LineProgress {
  private static let interval = Duration.milliseconds(200)
  private static let width = 24

  private let isShown = isatty(STDERR_FILENO) == 1
  private let start = ContinuousClock.now
  private var shownAt: ContinuousClock.Instant?

  /// Shows the state, not more often than five times a second.
  mutating func show(lines: Int, failures: Int, position: Int64, size: Int64?) {
    let now = ContinuousClock.now
    guard isShown, now - (shownAt ?? start) >= Self.interval else { return }
    shownAt = now
    let elapsed = (now - start) / Duration.seconds(1)
    var text = "\(lines) lines  \(Int(Double(lines) / elapsed))/s  \(failures) failed"
    if let size, size > 0, position > 0 {
      let share = min(1, Double(position) / Double(size))
      let filled = Int(share * Double(Self.width))
      let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: Self.width - filled)
      let left = Int((elapsed / share - elapsed).rounded(.up))
      text = "[\(bar)] \(Int(share * 100)) %  \(text)  \(left) s left"
    }
    write("\r\u{1b}[K\(text)")
  }

  /// Takes it away, before something else is written.
  mutating func clear() {
    guard shownAt != nil else { return }
    write("\r\u{1b}[K")
  }

  private func write(_ text: String) { _ = FileOutput.writeAll(Array(text.utf8), to: STDERR_FILENO) }
}
