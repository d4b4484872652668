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

  /// Makes the progress for standard error.
  ///
  /// It is shown only on a terminal, and not with `--quiet`, nor if the lines of output go to the terminal too;
  /// `output` is their path.
  init(besides output: String?, isQuiet: Bool) {
    let isOutputOnTerminal = [nil, "-"].contains(output) && isatty(STDOUT_FILENO) == 1
    isShown = !isQuiet && isatty(STDERR_FILENO) == 1 && !isOutputOnTerminal
  }

  /// Notes the position of the first line that is sealed.
  mutating func begin(at position: Int64) {
    if start == nil { start = (.now, position) }
  }

  /// Shows the state, at most five times a second.
  mutating func show(lines: Int, failures: Int, position: Int64, size: Int64?) {
    let now = ContinuousClock.now
    guard isShown, let start, now - (shownAt ?? start.instant) >= Self.interval else { return }
    shownAt = now
    let line = ProgressLine(
      elapsed: now - start.instant, lines: lines, failures: failures, start: start.position,
      position: position, size: size)
    write("\r\u{1b}[K\(line.text)")
  }

  /// Clears the progress line before something else is written.
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
  /// The position of the first line in the input, in bytes.
  let start: Int64
  /// How many bytes of the input have been read.
  let position: Int64
  /// The length of the input, in bytes; nil if it is unknown.
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

  /// How long the rest of the input takes at the speed so far; nil if it is too early to say.
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
