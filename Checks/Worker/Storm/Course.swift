import Foundation
import PushStandIn

/// The course of a storm: its kills, cancellations and troubles, each at its time.
///
/// Time is counted in requests, so that a slow machine has the same storm. The kills and the troubles are spread evenly
/// over nine tenths of the fewest requests that there can be, so each comes while there is work.
final class Course {
  private let scene: StormScene
  private let apns: LocalServer
  private let crew: Crew
  private let kills: Int
  private var troubles: ArraySlice<String>
  private let troubleCount: Int
  private var trouble: Process?
  private var lastTrouble: ContinuousClock.Instant?

  /// The pushes that were on their way at each kill.
  private(set) var inFlight: InFlight

  /// The messages that were cancelled.
  private(set) var cancellations: Cancellations

  /// The jobs that were leased at kills whose workers' last pushes APNs may not have read yet.
  private var unread: [(connections: [LocalServer.Connection], claimed: [InFlight.Attempt])] = []

  /// The number of workers that were killed.
  private(set) var killed = 0

  /// The time to which APNs' clock was moved.
  private var time = ContinuousClock.now

  /// Whether something else went wrong.
  var hadTroubles: Bool { troubleCount > 0 }

  /// The longest time without progress.
  private static let patience = Duration.seconds(900)

  init(_ scene: StormScene, kills: Int, troubles: [String]) {
    self.scene = scene
    self.kills = kills
    self.troubles = troubles[...]
    troubleCount = troubles.count
    apns = LocalServer(port: scene.apns.port)
    crew = Crew(scene.worker, at: apns)
    inFlight = InFlight(scene.apns)
    cancellations = scene.cancellations
  }

  /// Runs until no job is left.
  ///
  /// It waits on its own thread, because the stand-in and its phones keep all others busy.
  func run() throws {
    time = .now
    for _ in 0..<3 { try crew.hire() }
    defer { crew.dismiss() }
    var (least, last, looked) = (Int.max, ContinuousClock.now, ContinuousClock.now)
    while true {
      Thread.sleep(forTimeInterval: 0.005)
      try crew.replaceTheGone()
      try goThroughTroubles()
      try cancel()
      try settle()
      if killed < kills, isTime(for: killed + 1, of: kills) { try kill() }
      letTimePass(atOnce: killed == kills || !isTime(for: killed + 2, of: kills))
      guard ContinuousClock.now - looked > .seconds(1) else { continue }
      let remaining = try scene.ledger.remaining()
      looked = .now
      if remaining == 0, trouble == nil, unread.isEmpty { return }
      if remaining < least { (least, last) = (remaining, looked) }
      guard looked - last < Self.patience else { throw Failure(text: "\(remaining) jobs stay") }
    }
  }

  /// Lets APNs answer; if kills are late, as on a busy machine, only once a second.
  private func letTimePass(atOnce: Bool) {
    let passed = ContinuousClock.now - time
    guard passed > .milliseconds(atOnce ? 50 : 1000) else { return }
    scene.apns.advance(by: passed)
    time += passed
  }

  /// Whether there were enough requests for event `number` of `count`.
  private func isTime(for number: Int, of count: Int) -> Bool {
    scene.apns.requestCount >= scene.fewestRequests * 9 / 10 * number / count
  }

  /// Kills a worker that is at work, if there is one.
  private func kill() throws {
    guard let connections = try crew.killOne() else { return }
    killed += 1
    let claimed = try scene.ledger.claimed()
    try crew.hire()
    unread.append((connections, claimed))
    if killed.isMultiple(of: max(kills / 10, 1)) {
      say(
        "\(killed) kills, \(scene.apns.requestCount) requests, \(try scene.ledger.remaining()) jobs left"
      )
    }
  }

  /// Makes the cancellations whose time has come.
  ///
  /// A store that has crashed may have forgotten leases, so until those have ended it does not know which jobs no worker
  /// has had.
  private func cancel() throws {
    guard trouble == nil, lastTrouble.map({ .now - $0 > StormScene.lease }) ?? true else { return }
    try cancellations.makeDue(in: scene.ledger, sent: scene.apns.accepted.count)
  }

  /// Notes the pushes that were on their way at the last kills.
  private func settle() throws {
    let last = unread
    unread = []
    for (connections, claimed) in last {
      if try apns.serves(connections) {
        unread.append((connections, claimed))
      } else {
        inFlight.note(claimed)
      }
    }
  }

  /// Begins the next trouble at its time, and ends it when its command does.
  private func goThroughTroubles() throws {
    if let trouble, !trouble.isRunning {
      guard trouble.terminationStatus == 0 else { throw Failure(text: "a trouble's command failed") }
      self.trouble = nil
      lastTrouble = .now
      // A store that has crashed may have forgotten leases.
      inFlight.noteAfterTrouble(try scene.ledger.unfinished())
    }
    guard trouble == nil, let next = troubles.first,
      isTime(for: troubleCount - troubles.count + 1, of: troubleCount + 1)
    else { return }
    troubles.removeFirst()
    say(next)
    let shell = Process()
    shell.executableURL = URL(fileURLWithPath: "/bin/bash")
    shell.arguments = ["-c", next]
    try shell.run()
    trouble = shell
  }

  struct Failure: Error { let text: String }
}

/// Prints the progress on standard error.
func say(_ text: String) {
  let time = Date.now.formatted(.iso8601.time(includingFractionalSeconds: false))
  try? FileHandle.standardError.write(contentsOf: Data("\(time) \(text)\n".utf8))
}
