private import Glibc
import PushSealer

/// The lines of a file or of standard input, read as they are needed.
struct LineInput {
  /// The longest line, in bytes: 256 KiB.
  static let maximumLineSize = 1 << 18

  /// What there is to do next.
  enum Step {
    /// Seal these lines.
    case chunk(LineChunk)
    /// Something else, because nothing has come.
    case wait
    /// Nothing more: this was all.
    case end
    /// Nothing more: a signal was caught.
    case interrupted
  }

  /// The length, in bytes; null if nobody knows.
  let size: Int64?
  /// How much of it was read, in bytes.
  private(set) var position: Int64 = 0

  /// The file, to tell it from others; null for what is no regular one.
  var identity: FileIdentity? { FileIdentity(file: file) }

  private let file: Int32
  private let name: String
  private let skippedCount: Int
  private var lines = LineSplitter(maximumSize: maximumLineSize)
  private var lineCount = 0
  private var hasEnded = false
  private var piece = [UInt8](repeating: 0, count: 1 << 16)

  /// Opens a file, or standard input for `-` or no path; its first lines are to be passed over.
  init(_ path: String?, skipping skippedCount: Int) throws(ToolError) {
    // The line behind them has a number too.
    self.skippedCount = min(skippedCount, .max - 1)
    if let path, path != "-" {
      (name, file) = (path, try FileInput.open(path))
    } else {
      (name, file) = ("standard input", STDIN_FILENO)
    }
    var status = stat()
    let isRegular = unsafe fstat(file, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    size = isRegular ? Int64(status.st_size) : nil
  }

  /// Reads a full chunk, or what there is of one without waiting.
  ///
  /// With `isWaiting` it waits for the first line of it.
  mutating func next(isWaiting: Bool, watch: Int32) throws(ToolError) -> Step {
    var chunk = LineChunk(firstNumber: max(lineCount, skippedCount) + 1)
    while !chunk.isFull {
      if let line = lines.next() {
        take(line, into: &chunk)
      } else if hasEnded {
        guard let line = lines.end() else { break }
        take(line, into: &chunk)
      } else {
        switch Interruption.isReady(file, isWaiting: isWaiting && chunk.lines.isEmpty, watch: watch) {
        case nil: return .interrupted
        case false?: return chunk.lines.isEmpty ? .wait : .chunk(chunk)
        case true?: try read()
        }
      }
    }
    return chunk.lines.isEmpty ? .end : .chunk(chunk)
  }

  private mutating func take(_ line: LineSplitter.Line, into chunk: inout LineChunk) {
    lineCount += 1
    if lineCount > skippedCount { chunk.append(line) }
  }

  private mutating func read() throws(ToolError) {
    let count = unsafe Glibc.read(file, &piece, piece.count)
    guard count >= 0 else {
      if errno == EINTR || errno == EAGAIN { return }
      throw ToolError(.noInput, "cannot read \(name): \(SystemMessage.current)")
    }
    hasEnded = count == 0
    position += Int64(count)
    lines.append(piece.prefix(count))
  }
}
