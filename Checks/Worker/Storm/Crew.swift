import Foundation

/// Workers that are killed and replaced.
final class Crew {
  private let program: String
  private let arguments: [String]
  private var workers: [Process] = []

  init(program: String, arguments: [String]) { (self.program, self.arguments) = (program, arguments) }

  /// Starts a worker.
  func hire() throws {
    let worker = Process()
    worker.executableURL = URL(fileURLWithPath: program)
    worker.arguments = arguments
    worker.standardError = FileHandle.nullDevice
    try worker.run()
    workers.append(worker)
  }

  /// Kills one without a word, and starts another one.
  func killOne() throws {
    let worker = workers.remove(at: .random(in: workers.indices))
    kill(worker.processIdentifier, SIGKILL)
    worker.waitUntilExit()
    try hire()
  }

  /// Ends all.
  func dismiss() {
    for worker in workers { worker.terminate() }
    for worker in workers { worker.waitUntilExit() }
  }
}
