import PushAttachments
import PushEnvelope
import PushSealer

/// `seal --lines`: many messages, on all cores, in order, in constant memory.
struct SealLines {
  private let sealer: LineSealer
  private let output: LineOutput
  private let errors: LineOutput?
  private let console: Console
  private let watch: Int32
  private var input: LineInput
  private var progress: LineProgress
  private var lineCount = 0
  private var failureCount = 0
  private var lastNumber: Int

  /// How many chunks may be in flight: each core has one to seal, and one to go on with.
  private let maximumInFlight = 2 * Cores.count

  /// Opens what the options name.
  init(_ arguments: Arguments, _ sealer: LineSealer, _ console: Console) throws(ToolError) {
    self.sealer = sealer
    self.console = console
    let skippedCount = try arguments.skip()
    lastNumber = skippedCount
    input = try LineInput(arguments["--in"], skipping: skippedCount)
    let files = ["--from", "--to", "--recipients", "--attach", "--passphrase-file"].compactMap {
      arguments[$0]
    }
    let inputs = files.compactMap { FileIdentity(path: $0) } + [input.identity].compactMap(\.self)
    (output, errors) = try Self.open(
      arguments["--out"], arguments["--errors"],
      LineOutput.Rule(isForced: arguments.has("--force"), goesOn: skippedCount > 0, others: inputs))
    progress = LineProgress(besides: arguments["--out"])
    watch = try Interruption.watch()
  }

  /// Opens both outputs, and empties them only when both are there.
  private static func open(
    _ outputPath: String?, _ errorsPath: String?, _ rule: LineOutput.Rule
  ) throws(ToolError) -> (output: LineOutput, errors: LineOutput?) {
    guard errorsPath != "-" else {
      throw .usage("--errors is a file; without it errors are on standard error")
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
      throw ToolError(error.status, error.message, hint: error.hint ?? (unconfirmed.isEmpty ? wayOn : nil))
    }
    progress.clear()
    let unconfirmed = confirm()
    guard !isInterrupted else {
      console.note("stopped after line \(lastNumber)" + (unconfirmed.isEmpty ? ": \(wayOn)" : ""))
      for error in unconfirmed { console.report(error) }
      return Interruption.die(watch)
    }
    let count = failureCount == 0 ? nil : "\(failureCount) of \(lineCount) lines were not sealed"
    if let error = unconfirmed.first {
      if let count { console.note(count) }
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

  /// How to go on, which is for when all that was written is where it belongs.
  private var wayOn: String {
    let isInFiles = output.isFile || errors != nil
    return "--skip \(lastNumber) goes on from there" + (isInFiles ? ", into other files" : "")
  }

  /// Seals all there is, and says whether a signal stopped it.
  private mutating func sealAll() async throws(ToolError) -> Bool {
    var inFlight: [Task<LineSealer.Sealed, Never>] = []
    while true {
      let step: LineInput.Step
      do throws(ToolError) {
        step = try input.next(isWaiting: inFlight.isEmpty, watch: watch)
      } catch {
        try await finish(inFlight)
        throw error
      }
      switch step {
      case .chunk(let chunk):
        progress.begin(at: input.position)
        inFlight.append(Task.detached { [sealer] in sealer.seal(chunk) })
        guard inFlight.count >= maximumInFlight else { continue }
      case .wait: break
      case .interrupted, .end:
        try await finish(inFlight)
        if case .interrupted = step { return true }
        return false
      }
      try write(await inFlight.removeFirst().value)
    }
  }

  private mutating func finish(_ inFlight: [Task<LineSealer.Sealed, Never>]) async throws(ToolError) {
    for task in inFlight { try write(await task.value) }
  }

  /// Writes what came of a chunk: all of it or, where it goes to files, none, so that no line is done twice.
  private mutating func write(_ sealed: LineSealer.Sealed) throws(ToolError) {
    let failures = sealed.failures.flatMap { $0.error.encoded(line: $0.line) }
    let place = errors?.place()
    try errors?.write(failures)
    do throws(ToolError) {
      try output.write(sealed.output)
    } catch {
      if let place { errors?.takeBack(failures.count, to: place) }
      throw error
    }
    if errors == nil && !sealed.failures.isEmpty {
      progress.clear()
      for (line, error) in sealed.failures { console.note("error: line \(line): \(error.message)") }
    }
    lineCount += sealed.lineCount
    failureCount += sealed.failures.count
    lastNumber = sealed.lastNumber
    progress.show(lines: lineCount, failures: failureCount, position: input.position, size: input.size)
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
