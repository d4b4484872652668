import PushFiles
import PushSealer

/// `seal --lines`: many messages, on all cores, in order, in constant memory.
struct SealLines {
  private let sealer: LineSealer
  private let output: LineOutput
  private let errors: LineOutput?
  private let console: Console
  private let input: LineInput
  private var progress: LineProgress
  private var lineCount = 0
  private var failureCount = 0
  private var lastNumber: Int

  /// Opens what the options name.
  init(_ arguments: Arguments, _ sealer: LineSealer, _ console: Console) throws(ToolError) {
    self.sealer = sealer
    self.console = console
    let skippedCount = try arguments.skip()
    lastNumber = skippedCount
    input = try LineInput(arguments["--in"], skipping: skippedCount)
    (output, errors) = try Self.open(
      arguments["--out"], arguments["--errors"],
      LineOutput.Rule(isForced: arguments.has("--force"), goesOn: skippedCount > 0, others: arguments.inputs))
    progress = LineProgress(besides: arguments["--out"], isQuiet: console.isQuiet)
    try Interruption.watch()
  }

  /// Opens both outputs, and empties them only when both are there.
  private static func open(
    _ outputPath: String?, _ errorsPath: String?, _ rule: LineOutput.Rule
  ) throws(ToolError) -> (output: LineOutput, errors: LineOutput?) {
    guard errorsPath != "-" else {
      throw .usage("--errors is a file; without it, errors go to standard error")
    }
    guard errorsPath == nil || errorsPath != outputPath else {
      throw .usage("--errors and --out are the same")
    }
    try rule.check(outputPath)
    if let errorsPath { try rule.check(errorsPath) }
    let output = try LineOutput(outputPath, rule)
    let errors = try errorsPath.map { (path) throws(ToolError) in
      try LineOutput(path, rule.unlike(output.identity))
    }
    try output.empty()
    try errors?.empty()
    return (output, errors)
  }

  /// Seals line after line to the end of the input, or until a signal says to stop.
  mutating func run() async throws(ToolError) {
    let isInterrupted: Bool
    do throws(ToolError) {
      isInterrupted = try await sealAll()
    } catch {
      progress.clear()
      let unconfirmed = confirm()
      for other in unconfirmed { console.report(other) }
      throw ToolError(
        error.status, error.message, hint: error.hint ?? (unconfirmed.isEmpty ? resumeHint : nil))
    }
    progress.clear()
    let unconfirmed = confirm()
    guard !isInterrupted else {
      console.warn("stopped after line \(lastNumber)" + (unconfirmed.isEmpty ? ": \(resumeHint)" : ""))
      for error in unconfirmed { console.report(error) }
      return Interruption.die()
    }
    let count = failureCount == 0 ? nil : "\(failureCount) of \(lineCount) lines were not sealed"
    if let error = unconfirmed.first {
      if let count { console.warn(count) }
      for other in unconfirmed.dropFirst() { console.report(other) }
      throw error
    }
    if let count { throw ToolError(.badData, count) }
  }

  /// Waits until all that was written is where it belongs, and says of what that is not known.
  private func confirm() -> [ToolError] {
    var failures: [ToolError] = []
    for file in [errors, output].compactMap(\.self) {
      do throws(ToolError) { try file.finish() } catch { failures.append(error) }
    }
    do throws(ToolError) { try console.close() } catch { failures.append(error) }
    return failures
  }

  /// How to resume, once everything written is on the disk.
  private var resumeHint: String {
    let isInFiles = output.isFile || errors != nil
    return "continue with --skip \(lastNumber)" + (isInFiles ? ", into other files" : "")
  }

  /// Seals all there is; true if a signal stopped it.
  private mutating func sealAll() async throws(ToolError) -> Bool {
    let limit = ChunkLimit(size: LineInput.maximumLineSize)
    let pipeline = OrderedPipeline(input, chunkLimit: limit, size: \.size) { [sealer] in sealer.seal($0) }
    while let lines = try await pipeline.next() { try write(lines) }
    return input.wasInterrupted
  }

  /// Writes the results of a chunk: all of them or, where they go to files, none, so that no line is done twice.
  private mutating func write(_ lines: [SealedLine]) throws(ToolError) {
    guard let first = lines.first, let last = lines.last else { return }
    progress.begin(at: first.input.position)
    let failures = lines.compactMap(\.failure)
    let encoded = failures.flatMap { $0.error.encoded(line: $0.line) }
    let place = errors?.place()
    try errors?.write(encoded)
    do throws(ToolError) {
      try output.write(lines.flatMap { (try? $0.output.get()) ?? [] })
    } catch {
      if let place { errors?.takeBack(encoded.count, to: place) }
      throw error
    }
    if errors == nil && !failures.isEmpty {
      progress.clear()
      for (line, error) in failures { console.warn("error: line \(line): \(error.message)") }
    }
    lineCount += lines.count
    failureCount += failures.count
    lastNumber = last.input.number
    progress.show(lines: lineCount, failures: failureCount, position: last.input.position, size: input.size)
  }
}

extension SealedLine {
  /// The line's number and its error, if it was not sealed.
  fileprivate var failure: (line: Int, error: LineError)? {
    guard case .failure(let error) = output else { return nil }
    return (input.number, error)
  }
}

extension Arguments {
  /// How many lines to pass over.
  fileprivate func skip() throws(ToolError) -> Int {
    guard let text = self["--skip"] else { return 0 }
    let isDigit = { (character: UInt8) in (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(character) }
    guard text.utf8.allSatisfy(isDigit), let count = Int(text) else {
      throw .usage("--skip is a number of lines, not '\(text)'")
    }
    return count
  }
}
