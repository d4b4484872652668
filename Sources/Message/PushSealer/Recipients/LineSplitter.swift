/// Splits bytes that arrive in pieces into lines, in bounded memory.
package struct LineSplitter: Sendable {
  /// A line, without its line feed.
  package enum Line: Hashable, Sendable {
    /// A line no longer than the maximum.
    case whole([UInt8])
    /// A longer line, which was skipped.
    case tooLong
  }

  private static let lineFeed = UInt8(ascii: "\n")

  private let maximumSize: Int
  private var pending: [UInt8] = []
  /// Where the next line starts.
  private var start = 0
  /// The position up to which there is no line feed.
  private var searched = 0
  /// Whether the next line is already known to be too long.
  private var isTooLong = false

  /// Makes a splitter for lines of at most `maximumSize` bytes.
  package init(maximumSize: Int) { self.maximumSize = maximumSize }

  /// Adds the next piece.
  ///
  /// Call it only after ``next()`` has returned all lines of the piece before.
  package mutating func append(_ bytes: some Collection<UInt8>) {
    pending.removeFirst(start)
    searched -= start
    start = 0
    pending.append(contentsOf: bytes)
  }

  /// The next complete line; nil if more bytes are needed.
  package mutating func next() -> Line? {
    guard let end = pending[searched...].firstIndex(of: Self.lineFeed) else {
      searched = pending.count
      if searched - start > maximumSize {
        isTooLong = true
        start = searched
      }
      return nil
    }
    defer {
      start = end + 1
      searched = start
      isTooLong = false
    }
    return line(upTo: end)
  }

  /// The last line, if the input does not end in a line feed; nil if it does.
  package mutating func end() -> Line? {
    guard isTooLong || start < pending.count else { return nil }
    defer { self = LineSplitter(maximumSize: maximumSize) }
    return line(upTo: pending.count)
  }

  private func line(upTo end: Int) -> Line {
    isTooLong || end - start > maximumSize ? .tooLong : .whole(Array(pending[start..<end]))
  }
}
