extension Sealer {
  /// Seals jobs as they come, on all cores, and gives one result a job in their order.
  ///
  /// See ``SealedJobs`` for how far ahead `jobs` is read, and for what ends it.
  public func seal<Jobs>(_ jobs: Jobs) -> SealedJobs<Jobs>
  where Jobs: AsyncSequence & Sendable, Jobs.Element: Sealable {
    SealedJobs(jobs, sealer: self, coreCount: Cores.count)
  }
}

/// The results of jobs that are sealed as they come, in their order.
///
/// Jobs that have come while the cores were busy are sealed together, at most 64 at a time; one that comes while a core
/// is free is sealed at once. A job that cannot be sealed harms no other. An error of the input comes out behind the
/// results of all jobs before it.
///
/// The input is read from when the first result is asked for, and never further than 128 jobs a core beyond the results
/// that were given out, so that memory is bounded however many jobs there are.
///
/// When the consuming task is cancelled the sequence ends, and when its iterator is let go nobody waits for the rest:
/// either way the task that reads the input is cancelled, what is being sealed is done within milliseconds, and jobs
/// that were read and whose results did not come out are dropped. Whoever must tell the end of the input from a
/// cancellation looks at `Task.isCancelled`.
public struct SealedJobs<Jobs>: AsyncSequence, Sendable
where Jobs: AsyncSequence & Sendable, Jobs.Element: Sealable {
  /// A job with its result.
  public typealias Element = SealedJob<Jobs.Element>

  /// What the input throws.
  public typealias Failure = Jobs.Failure

  private let jobs: Jobs
  private let sealer: Sealer
  private let coreCount: Int

  package init(_ jobs: Jobs, sealer: Sealer, coreCount: Int) {
    self.jobs = jobs
    self.sealer = sealer
    self.coreCount = coreCount
  }

  /// Begins anew; nothing is read yet.
  public func makeAsyncIterator() -> Iterator { Iterator(self) }

  /// Gives the results out.
  public struct Iterator: AsyncIteratorProtocol {
    private enum Stage {
      case new(SealedJobs)
      case running(SealingRun<Jobs.Element, Failure>)
      case ended
    }

    private var stage: Stage
    private var ready: ArraySlice<Element> = []

    fileprivate init(_ sequence: SealedJobs) { stage = .new(sequence) }

    /// The next job's result; null behind the last one, and if the task is cancelled.
    ///
    /// - Throws: What the input throws.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(Failure) -> SealedJob<Jobs.Element>? {
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

    /// The pass over the input, which begins with the first result that is asked for; null behind its end.
    private mutating func run() -> SealingRun<Jobs.Element, Failure>? {
      switch stage {
      case .new(let sequence):
        let run = SealingRun(sequence.jobs, sealer: sequence.sealer, coreCount: sequence.coreCount)
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
