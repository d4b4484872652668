import Foundation

/// Kills workers again and again while they work through a queue, and reports the results of the jobs.
///
///     worker-storm SEALPUSHD FOLDER STORE JOBS KILLS [TROUBLE …]
///
/// Three workers share a store, with jobs of all types for two apps, which have keys of their own. A stand-in for APNs
/// takes their pushes, and makes faults. The kills, the cancellations, and the troubles, which are bash commands, are
/// spread over the pushes. At the end, each job that was not cancelled must have been accepted under its device's one ID
/// for it, and each phone must have shown its alerts once with sound. A repeated push must have been on its way when a
/// worker was killed, or when APNs did not answer. What was cancelled before a worker had it must not have been sent, and
/// each key must have been shown for its own app alone.
@main
enum Storm {
  @MainActor static func main() async throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    guard arguments.count >= 5, let jobs = Int(arguments[3]), let kills = Int(arguments[4]), kills > 0,
      (kills...StormScene.maximumJobs).contains(jobs)
    else {
      print("usage: worker-storm SEALPUSHD FOLDER STORE JOBS KILLS [TROUBLE …]")
      print("JOBS is at most \(StormScene.maximumJobs), and no less than KILLS")
      exit(64)
    }
    let scene = try await StormScene(
      program: arguments[0], folder: arguments[1], place: arguments[2], jobs: jobs)
    let seen = scene.watch()
    let course = Course(scene, kills: kills, troubles: Array(arguments[5...]))
    let start = ContinuousClock.now
    try course.run()
    let seconds = Int((ContinuousClock.now - start) / .seconds(1))
    let outcome = try await Outcome(scene, seen, course)
    print("\(jobs) jobs, \(course.killed) of \(kills) kills in \(seconds) s: \(outcome)")
    exit(outcome.isGood && course.killed == kills ? 0 : 1)
  }
}
