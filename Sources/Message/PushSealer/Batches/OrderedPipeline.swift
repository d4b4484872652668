#if canImport(Glibc)
  private import Glibc
#elseif canImport(Darwin)
  private import Darwin
#endif

/// One pass over an input: a task reads it, workers on all cores turn it into results, and the results come in order.
///
/// Elements that arrive while the cores are busy are worked on together; a lone element is worked on immediately. An
/// error of the input comes after the results of everything before it. The input is read at most two chunks per worker
/// ahead of the results, so memory is bounded. Everything stops when the pipeline is released.
package final class OrderedPipeline<Input: Sendable, Output: Sendable, Failure: Error> {
  /// Turns a chunk into its results.
  package typealias Work = @Sendable ([Input]) -> [Output]

  /// Reads the input, and calls `take` with each element until it returns `false` or the input ends.
  package typealias Reading = @Sendable (_ take: (Input) async -> Bool) async throws(Failure) -> Void

  private let queue: OrderedQueue<Input, Output, Failure>
  private let task: Task<Void, Never>

  /// Starts to read the input.
  ///
  /// - Parameters:
  ///   - coreCount: The most workers at a time.
  ///   - size: The size of an element, in bytes, for `chunkLimit`.
  package init(
    coreCount: Int = Cores.count, chunkLimit: ChunkLimit = ChunkLimit(),
    size: @escaping @Sendable (Input) -> Int = { _ in 0 }, reading: @escaping Reading, work: @escaping Work
  ) {
    let queue = OrderedQueue<Input, Output, Failure>(
      workerLimit: coreCount, chunkLimit: chunkLimit, size: size)
    self.queue = queue
    task = Task { await OrderedPipeline.read(reading, into: queue, work: work) }
  }

  deinit {
    queue.stop()
    task.cancel()
  }

  /// The next results, at least one, in order; nil after the last ones, and if the caller's task is cancelled.
  package func next() async throws(Failure) -> [Output]? {
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

  /// Reads the input as long as there is room, and starts workers as they are needed.
  private static func read(
    _ reading: Reading, into queue: OrderedQueue<Input, Output, Failure>, work: @escaping Work
  ) async {
    await withDiscardingTaskGroup { workers in
      do throws(Failure) {
        try await reading { input in
          if queue.add(input) { workers.addTask { await run(on: queue, work: work) } }
          return await queue.waitForRoom()
        }
        queue.end(with: nil)
      } catch {
        queue.end(with: error)
      }
    }
  }

  /// Works on chunk after chunk until there is none, and yields the thread after each.
  private static func run(on queue: OrderedQueue<Input, Output, Failure>, work: Work) async {
    while let chunk = queue.takeChunk() {
      queue.give(work(chunk.inputs), of: chunk)
      await Task.yield()
    }
  }
}

/// The machine's processor cores, even if this process may use only some of them.
package enum Cores {
  /// How many there are, at least 1.
  package static let count = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
}
