/// One pass over an input: a task that reads it, and workers that seal what it has read.
///
/// All of them stop when nobody holds the pass any more.
final class SealingRun<Job: Sealable, Failure: Error> {
  private let queue: SealingQueue<Job, Failure>
  private let task: Task<Void, Never>

  /// Begins to read.
  init<Jobs>(_ jobs: Jobs, sealer: Sealer, coreCount: Int)
  where Jobs: AsyncSequence & Sendable, Jobs.Element == Job, Jobs.Failure == Failure {
    let queue = SealingQueue<Job, Failure>(workerLimit: coreCount)
    self.queue = queue
    task = Task { await SealingRun.read(jobs, into: queue, sealer) }
  }

  deinit {
    queue.stop()
    task.cancel()
  }

  /// The next results, at least one, in order; null behind the last ones, and if the caller's task is cancelled.
  func next() async throws(Failure) -> [SealedJob<Job>]? {
    let step = await withTaskCancellationHandler {
      await queue.next()
    } onCancel: { [queue] in
      queue.stop()
    }
    switch step {
    case .results(let results): return results
    case .end(nil): return nil
    case .end(let failure?): throw failure
    }
  }

  /// Reads the input as far as there is room, and starts a worker where one is missing.
  private static func read<Jobs>(_ jobs: Jobs, into queue: SealingQueue<Job, Failure>, _ sealer: Sealer) async
  where Jobs: AsyncSequence & Sendable, Jobs.Element == Job, Jobs.Failure == Failure {
    await withDiscardingTaskGroup { workers in
      do throws(Failure) {
        var input = jobs.makeAsyncIterator()
        while await queue.waitForRoom(), let job = try await input.next(isolation: nil) {
          if queue.add(job) { workers.addTask { await work(queue, sealer) } }
        }
        queue.end(nil)
      } catch {
        queue.end(error)
      }
    }
  }

  /// Seals chunk after chunk, and lets others have the thread in between, until there is none.
  private static func work(_ queue: SealingQueue<Job, Failure>, _ sealer: Sealer) async {
    while let chunk = queue.takeChunk() {
      let results = sealer.seal(chunk.jobs.map(\.sealJob))
      queue.give(zip(chunk.jobs, results).map { SealedJob(job: $0, result: $1) }, of: chunk)
      await Task.yield()
    }
  }
}
