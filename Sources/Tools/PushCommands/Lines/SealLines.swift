import PushFiles
import PushSealer

#if canImport(Glibc)
  private import Glibc
#elseif canImport(Darwin)
  private import Darwin
#endif

/// `seal --lines`: many messages, on all cores, in order, in constant memory.
struct SealLines {
  private let sealer: LineSealer
  private let output: LineOutput
  private let errors: Errors
  private let console: Console
  private let input: LineInput
  private var progress: LineProgress
  private var lineCount = 0
  private var failureCount = 0
  /// How many lines were sealed to some of their devices, but not to all.
  private var partialCount = 0
  private var lastNumber: Int

  /// Where errors go.
  private enum Errors {
    /// To standard error, for people.
    case console
    /// To a separate file, or to standard output alone.
    case apart(LineOutput)
    /// To the output, each in its line's place.
    case amongResults

    /// The errors' own output.
    var output: LineOutput? {
      guard case .apart(let output) = self else { return nil }
      return output
    }
  }

  /// Opens what the request and the destination name.
  init(of sealing: PreparedSealing, to destination: SealDestination, console: Console) throws(ToolError) {
    sealer = try sealing.lineSealer(console: console)
    self.console = console
    let skippedCount = sealing.request.skippedLines
    lastNumber = skippedCount
    input = try LineInput(path: sealing.request.input, skipping: skippedCount)
    (output, errors) = try Self.open(
      output: destination.output, errors: destination.errors,
      rule: LineOutput.Rule(
        isForced: destination.isForced, goesOn: skippedCount > 0, others: destination.inputs))
    progress = LineProgress(besides: destination.output, isQuiet: console.isQuiet)
    try Interruption.watch()
    // On a terminal, SIGHUP means that the terminal was closed.
    if sealer.recipients?.isRereadable == true && isatty(STDIN_FILENO) != 1 { Interruption.watchHangups() }
  }

  /// Opens both outputs, and empties them once both are open.
  private static func open(
    output outputPath: String?, errors errorsPath: String?, rule: LineOutput.Rule
  ) throws(ToolError) -> (output: LineOutput, errors: Errors) {
    let outputPath = outputPath ?? "-"
    guard errorsPath == "-" || errorsPath != outputPath else {
      throw .usage("\(Option.errors) and \(Option.output) are the same")
    }
    try rule.check(outputPath)
    try rule.check(errorsPath)
    let output = try LineOutput(path: outputPath, rule: rule)
    let errors: Errors
    switch errorsPath {
    case nil: errors = .console
    case outputPath: errors = .amongResults
    case let path?: errors = .apart(try LineOutput(path: path, rule: rule.unlike(output.identity)))
    }
    try output.begin()
    try errors.output?.begin()
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
    let count = failures
    if let error = unconfirmed.first {
      if let count { console.warn(count) }
      for other in unconfirmed.dropFirst() { console.report(other) }
      throw error
    }
    if let count { throw ToolError(.badData, count) }
  }

  /// What was not sealed; nil if everything was.
  private var failures: String? {
    let failed = "\(failureCount) of \(lineCount) lines were not sealed"
    switch (failureCount, partialCount) {
    case (0, 0): return nil
    case (0, _): return "\(partialCount) of \(lineCount) lines were not sealed to every device"
    case (_, 0): return failed
    default: return "\(failed), and \(partialCount) not to every device"
    }
  }

  /// Waits until all output is on the disk or with its reader, and returns the errors of what may be lost.
  private func confirm() -> [ToolError] {
    var failures: [ToolError] = []
    for file in [errors.output, output].compactMap(\.self) {
      do throws(ToolError) { try file.finish() } catch { failures.append(error) }
    }
    do throws(ToolError) { try console.close() } catch { failures.append(error) }
    return failures
  }

  /// How to resume, once everything written is on the disk.
  private var resumeHint: String {
    let isInFiles = output.isFile || errors.output != nil
    return "continue with --skip \(lastNumber)" + (isInFiles ? ", into other files" : "")
  }

  /// Seals all there is; true if a signal stopped it.
  private mutating func sealAll() async throws(ToolError) -> Bool {
    let limit = ChunkLimit(size: LineInput.maximumLineSize)
    let pipeline = OrderedPipeline(
      chunkLimit: limit, size: \.size, reading: input.read, work: { [sealer] in sealer.seal($0) })
    while let lines = try await pipeline.next() { try write(lines) }
    return input.wasInterrupted
  }

  /// Writes the results of a chunk; to files it writes all of them or none, so that resuming repeats no line.
  private mutating func write(_ lines: [SealedLine]) throws(ToolError) {
    guard let first = lines.first, let last = lines.last else { return }
    progress.begin(at: first.input.position)
    let answers = lines.map(\.answer)
    let failed = answers.filter { $0.error != nil }
    let sealed = answers.filter { $0.error == nil }
    switch errors {
    case .amongResults: try output.write(answers.flatMap { $0.encoded() })
    case .apart(let errors): try write(sealed, and: failed, to: errors)
    case .console:
      try output.write(sealed.flatMap { $0.encoded() })
      note(answers.flatMap(\.faults))
    }
    lineCount += lines.count
    failureCount += failed.count
    partialCount += sealed.count { !$0.failures.isEmpty }
    lastNumber = last.input.number
    progress.show(
      lines: lineCount, failures: failureCount + partialCount, position: last.input.position, size: input.size
    )
  }

  private func write(
    _ sealed: [LineAnswer], and failed: [LineAnswer], to errors: LineOutput
  ) throws(ToolError) {
    let encoded = failed.flatMap { $0.encoded() }
    let place = errors.place()
    try errors.write(encoded)
    do throws(ToolError) {
      try output.write(sealed.flatMap { $0.encoded() })
    } catch {
      errors.takeBack(encoded.count, to: place)
      throw error
    }
  }

  private func note(_ faults: [String]) {
    guard !faults.isEmpty else { return }
    progress.clear()
    for fault in faults { console.warn("error: \(fault)") }
  }
}

extension LineAnswer {
  /// What went wrong, for people.
  fileprivate var faults: [String] {
    if let error { return ["line \(line): \(error.message)"] }
    return failures.map { "line \(line), \($0.device): \($0.error.message)" }
  }
}
