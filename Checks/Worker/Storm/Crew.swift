import Foundation

/// Workers that are killed and replaced.
final class Crew {
  private let command: [String]
  private let apns: LocalServer
  private var workers: [Process] = []
  private var lastReplacement = ContinuousClock.now

  init(_ command: [String], at apns: LocalServer) { (self.command, self.apns) = (command, apns) }

  /// Starts a worker.
  func hire() throws {
    let worker = Process()
    worker.executableURL = URL(fileURLWithPath: command[0])
    worker.arguments = Array(command[1...])
    worker.standardError = FileHandle.nullDevice
    try worker.run()
    workers.append(worker)
  }

  /// Kills (SIGKILL) the oldest worker that is at work, and starts another one.
  ///
  /// A worker is at work if it has a connection to APNs. Returns the connections that ended by this; nil if no worker
  /// is at work.
  func killOne() throws -> [LocalServer.Connection]? {
    let connections = try apns.clients
    for (index, worker) in workers.enumerated() {
      let sockets = Self.sockets(of: worker)
      let own = connections.filter { sockets.contains($0.socket) }
      guard !own.isEmpty else { continue }
      workers.remove(at: index)
      kill(worker.processIdentifier, SIGKILL)
      worker.waitUntilExit()
      return own
    }
    return nil
  }

  /// Replaces the workers that have ended, as while their store is away, at most five a second.
  func replaceTheGone() throws {
    guard ContinuousClock.now - lastReplacement > .milliseconds(200) else { return }
    lastReplacement = .now
    guard let index = workers.firstIndex(where: { !$0.isRunning }) else { return }
    workers.remove(at: index)
    try hire()
  }

  /// Ends all workers.
  func dismiss() {
    for worker in workers { worker.terminate() }
    for worker in workers { worker.waitUntilExit() }
  }

  /// The inodes of a process's sockets.
  private static func sockets(of worker: Process) -> Set<Substring> {
    let folder = "/proc/\(worker.processIdentifier)/fd"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return Set(
      names.compactMap { name in
        let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(name)")
        guard let target, target.hasPrefix("socket:[") else { return nil }
        return target.dropFirst(8).dropLast()
      })
  }
}
