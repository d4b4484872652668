internal import Dispatch

/// A thread for a store's blocking calls, so that they never hold up Swift's own threads.
final class StoreThread: SerialExecutor {
  private let queue = DispatchQueue(label: "store")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { [self] in unsafe job.runSynchronously(on: asUnownedSerialExecutor()) }
  }

  func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }

  /// Runs `body` on the thread.
  func run<Value>(_ body: @escaping @Sendable () -> sending Value) async -> sending Value {
    await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: body()) }
    }
  }
}
