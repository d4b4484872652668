import PushFiles

#if canImport(Glibc)
  private import Glibc
#elseif canImport(Darwin)
  private import Darwin
#endif

/// The progress of `seal --lines`, on a terminal.
struct LineProgress {
  private static let interval = Duration.milliseconds(200)

  private let isShown: Bool
  private var start: (instant: ContinuousClock.Instant, position: Int64)?
  private var shownAt: ContinuousClock.Instant?

  /// Makes one for standard error; it is never shown if that is no terminal, if the lines of output, whose path
  /// this is, go to a terminal too, or if the tool is to be quiet.
  init(besides output: String?, isQuiet: Bool) {
    let isOutputOnTerminal = [nil, "-"].contains(output) && isatty(STDOUT_FILENO) == 1
    isShown = !isQuiet && isatty(STDERR_FILENO) == 1 && !isOutputOnTerminal
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

  private func write(_ text: String) {
    try? FileDescriptor(borrowing: STDERR_FILENO).write(Array(text.utf8).span)
  }
}

/// The progress as text: how many lines, how fast, and, if the end is known, how long it takes.
struct ProgressLine {
  private static let width = 24

  /// How long lines have been sealed.
  let elapsed: Duration
  /// How many lines were sealed or failed.
  let lines: Int
  /// How many of them failed.
  let failures: Int
  /// Where in the input the first one is, in bytes.
  let start: Int64
  /// How much of the input was read, in bytes.
  let position: Int64
  /// The length of the input, in bytes; nil if nobody knows.
  let size: Int64?

  /// The line, without a line feed.
  var text: String {
    let text = "\(lines) lines  \(rate)/s  \(failures) failed"
    guard let size, size > 0 else { return text }
    let share = min(1, Double(position) / Double(size))
    let filled = Int(share * Double(Self.width))
    let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: Self.width - filled)
    return "[\(bar)] \(Int(share * 100)) %  \(text)" + (timeLeft(of: size).map { "  \($0) left" } ?? "")
  }

  private var seconds: Double { elapsed / Duration.seconds(1) }

  /// Lines a second.
  private var rate: Int { seconds > 0 ? Int(clamping: Double(lines) / seconds) : 0 }

  /// The rest of the input at the speed so far; nil if that cannot be told yet.
  private func timeLeft(of size: Int64) -> String? {
    guard position < size else { return "0 s" }
    guard position > start, seconds > 0 else { return nil }
    let left = (seconds * (Double(size) - Double(position)) / (Double(position) - Double(start))).rounded(.up)
    return switch left {
    case ..<120: "\(Int(left)) s"
    case ..<7200: "\(Int(left / 60)) min"
    default: "\(Int(clamping: left / 3600)) h"
    }
  }
}

extension Int {
  /// A number that is not negative, without its fraction; the largest integer if it is larger.
  fileprivate init(clamping number: Double) { self = Int(exactly: number.rounded(.down)) ?? .max }
}
