/// The results of jobs that are sealed as they arrive, in the jobs' order.
///
/// Jobs that arrive while the cores are busy are sealed together, at most 64 at a time; a lone job is sealed
/// immediately. A job that cannot be sealed does not affect any other. An error of the input is thrown after the
/// results of all jobs before it.
///
/// Reading starts when the first result is asked for, and stays at most 128 jobs per core ahead of the results, so
/// memory is bounded however many jobs there are. For jobs to persons, the limit counts devices: 128 per core, or one
/// person with more.
///
/// Sealing stops within milliseconds when the consuming task is cancelled, which ends the sequence, or when the
/// iterator is released. The task that reads the input is then cancelled, and jobs that were read but whose results
/// were not returned are dropped. Check `Task.isCancelled` to tell a cancellation from the end of the input.
@available(iOS 18, macOS 15, visionOS 2, *)
public struct SealedResults<Jobs, Element>: AsyncSequence, Sendable
where Jobs: AsyncSequence & Sendable, Jobs.Element: Sendable, Element: Sendable {
  /// The error that the input throws.
  public typealias Failure = Jobs.Failure

  private let jobs: Jobs
  private let coreCount: Int
  private let limit: ChunkLimit
  private let size: @Sendable (Jobs.Element) -> Int
  private let work: @Sendable ([Jobs.Element]) -> [Element]

  package init(
    _ jobs: Jobs, coreCount: Int, limit: ChunkLimit = ChunkLimit(),
    size: @escaping @Sendable (Jobs.Element) -> Int = { _ in 0 },
    work: @escaping @Sendable ([Jobs.Element]) -> [Element]
  ) {
    self.jobs = jobs
    self.coreCount = coreCount
    self.limit = limit
    self.size = size
    self.work = work
  }

  /// Makes an iterator; nothing is read yet.
  public func makeAsyncIterator() -> Iterator { Iterator(self) }

  /// Calls `take` with each job until it returns `false` or the input ends.
  private func read(_ take: (Jobs.Element) async -> Bool) async throws(Failure) {
    var iterator = jobs.makeAsyncIterator()
    while let job = try await iterator.next(isolation: nil), await take(job) {}
  }

  /// Iterates over the results.
  public struct Iterator: AsyncIteratorProtocol {
    private enum Stage {
      case new(SealedResults)
      case running(OrderedPipeline<Jobs.Element, Element, Failure>)
      case ended
    }

    private var stage: Stage
    private var ready: ArraySlice<Element> = []

    fileprivate init(_ sequence: SealedResults) { stage = .new(sequence) }

    /// The next job's result; nil after the last one, and if the task is cancelled.
    ///
    /// - Throws: The input's error.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(Failure) -> Element? {
      do throws(Failure) {
        if let job = try await advance() { return job }
      } catch {
        end()
        throw error
      }
      end()
      return nil
    }

    private mutating func advance() async throws(Failure) -> Element? {
      guard !Task.isCancelled else { return nil }
      if ready.isEmpty { ready = try await run()?.next()?[...] ?? [] }
      return ready.popFirst()
    }

    /// The pass over the input, which starts when the first result is asked for; nil after its end.
    private mutating func run() -> OrderedPipeline<Jobs.Element, Element, Failure>? {
      switch stage {
      case .new(let sequence):
        let run = OrderedPipeline(
          coreCount: sequence.coreCount, chunkLimit: sequence.limit, size: sequence.size,
          reading: sequence.read, work: sequence.work)
        stage = .running(run)
        return run
      case .running(let run): return run
      case .ended: return nil
      }
    }

    private mutating func end() {
      stage = .ended
      ready = []
    }
  }
}
