/// What runs code of the app's, which may block its thread: on threads of its own, each for as long as the code does not
/// wait.
///
/// The system's pool has few threads, which deadlines need.
final class StepExecutor: TaskExecutor {
  static let shared = StepExecutor()

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    WorkThread.run { [self] in unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
  }
}
