private import Locks
import PushFiles
package import PushSealer

#if canImport(Glibc)
  private import Glibc
#elseif canImport(Darwin)
  private import Darwin
#endif

/// A line of input, with its position.
package struct InputLine: Sendable {
  /// Its number, from 1.
  package let number: Int
  /// Its text.
  package let line: LineSplitter.Line
  /// How many bytes of the input had been read when the line was found.
  let position: Int64

  /// Its length, in bytes; 0 if it is too long to be kept.
  var size: Int { if case .whole(let text) = line { text.count } else { 0 } }
}

/// The lines of a file or of standard input, read as they are needed; a signal that ``Interruption`` caught ends them.
package final class LineInput: Sendable {
  /// The longest line, in bytes: 256 KiB.
  package static let maximumLineSize = 1 << 18

  /// The length, in bytes; nil if it is not known.
  let size: Int64?

  private let file: FileDescriptor
  private let name: String
  private let skippedCount: Int
  private let interrupted = Mutex(false)

  /// Opens a file, or standard input for `-` or no path; the first `skippedCount` lines are skipped.
  package init(path: String?, skipping skippedCount: Int) throws(ToolError) {
    // The line after them needs a number too.
    self.skippedCount = min(skippedCount, .max - 1)
    name = FileInput.name(of: path)
    file = try FileInput.open(path)
    let status = try? file.status
    size = status?.kind == nil ? status.map { Int64($0.size) } : nil
  }

  /// Whether a signal stopped the input.
  package var wasInterrupted: Bool { interrupted.withLock { $0 } }

  /// Starts to read; call it once only, because the file is read from its current position.
  package func makeIterator() -> Iterator { Iterator(input: self) }

  /// Calls `take` with each line until it returns `false` or the input ends; like ``makeIterator()``, call it once only.
  package func read(_ take: (InputLine) async -> Bool) async throws(ToolError) {
    var lines = makeIterator()
    while let line = try await lines.next() { guard await take(line) else { return } }
  }

  /// Reads the lines.
  package struct Iterator {
    private let input: LineInput
    private var lines = LineSplitter(maximumSize: maximumLineSize)
    private var lineCount = 0
    private var position: Int64 = 0
    private var hasEnded = false

    fileprivate init(input: LineInput) { self.input = input }

    /// The next line; nil after the last one, and after a signal.
    package mutating func next() async throws(ToolError) -> InputLine? {
      while let line = try await nextOfAll() {
        lineCount += 1
        if lineCount > input.skippedCount {
          return InputLine(number: lineCount, line: line, position: position)
        }
      }
      return nil
    }

    /// The lines that have arrived, at least one and at most `count`; nil after the last line, and after a signal.
    package mutating func next(atMost count: Int) async throws(ToolError) -> [InputLine]? {
      guard let first = try await next() else { return nil }
      var lines = [first]
      while lines.count < count, let line = self.lines.next() {
        lineCount += 1
        lines.append(InputLine(number: lineCount, line: line, position: position))
      }
      return lines
    }

    private mutating func nextOfAll() async throws(ToolError) -> LineSplitter.Line? {
      while true {
        if let line = lines.next() { return line }
        guard !hasEnded else { return lines.end() }
        guard await Interruption.waitForInput(on: input.file.number) else {
          input.interrupted.withLock { $0 = true }
          return nil
        }
        let piece = try input.read()
        hasEnded = piece?.isEmpty ?? false
        position += Int64(piece?.count ?? 0)
        lines.append(piece ?? [])
      }
    }
  }

  /// Reads what has arrived; nil if nothing has.
  private func read() throws(ToolError) -> [UInt8]? {
    do throws(FileError) {
      return try file.readAvailable(atMost: 1 << 16)
    } catch .system(_, EAGAIN) {
      return nil
    } catch {
      throw FileFailure.reading(error, from: name)
    }
  }
}
