import PushSealer

/// Lines of input that are sealed together.
struct LineChunk: Sendable {
  /// Enough lines to be worth a task.
  private static let maximumCount = 128
  /// Enough bytes, so that what is in flight is bounded.
  private static let maximumSize = 1 << 18

  /// The lines.
  private(set) var lines: [LineSplitter.Line] = []
  /// The number of the first one, from 1.
  let firstNumber: Int
  private var size = 0

  init(firstNumber: Int) { self.firstNumber = firstNumber }

  var isFull: Bool { lines.count >= Self.maximumCount || size >= Self.maximumSize }

  mutating func append(_ line: LineSplitter.Line) {
    if case .whole(let text) = line { size += text.count }
    lines.append(line)
  }
}
