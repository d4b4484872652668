internal import Dispatch

/// A thread for a store's blocking calls, so that they never hold up Swift's own threads.
package final class StoreThread: SerialExecutor {
  private let queue = DispatchQueue(label: "store")

  package init() {}

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { [self] in unsafe job.runSynchronously(on: asUnownedSerialExecutor()) }
  }

  package func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }

  /// Runs `body` on the thread.
  package func run<Value>(_ body: @escaping @Sendable () -> sending Value) async -> sending Value {
    await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: body()) }
    }
  }
}
