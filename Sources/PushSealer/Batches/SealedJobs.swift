extension Sealer {
  /// Seals jobs as they come, on all cores, and returns one result for each job, in order.
  ///
  /// ``SealedJobs`` documents how far ahead `jobs` is read, and when the sequence ends.
  public func seal<Jobs>(_ jobs: Jobs) -> SealedJobs<Jobs>
  where Jobs: AsyncSequence & Sendable, Jobs.Element: Sealable {
    SealedJobs(jobs, sealer: self, coreCount: Cores.count)
  }
}

/// Something that a sealer seals many of: a job, or a value of your own that has one.
///
/// The value comes back with the result, together with whatever your backend keeps beside the job, such as the device's
/// token or a message to acknowledge to a queue.
public protocol Sealable: Sendable {
  /// The job; it is asked for once, on any thread.
  var sealJob: SealJob { get }
}

extension SealJob: Sealable {
  /// The job itself.
  public var sealJob: SealJob { self }
}

/// A job with its result.
public struct SealedJob<Job: Sealable>: Sendable {
  /// The job, as it was given.
  public let job: Job

  /// The sealed push, or why there is none.
  public let result: Result<SealedPush, SealError>
}

/// The results of jobs that are sealed as they come, in their order.
///
/// Jobs that have come while the cores were busy are sealed together, at most 64 at a time; a lone job is sealed
/// immediately. A job that cannot be sealed does not affect any other. An error of the input is thrown after the results
/// of all jobs before it.
///
/// Reading starts when the first result is asked for, and stays at most 128 jobs per core ahead of the results, so
/// memory is bounded however many jobs there are.
///
/// When the consuming task is cancelled the sequence ends; when its iterator is released nobody waits for the rest.
/// Either way the task that reads the input is cancelled, sealing stops within milliseconds, and jobs that were read but
/// whose results did not come out are dropped. Check `Task.isCancelled` to tell a cancellation from the end of the input.
public struct SealedJobs<Jobs>: AsyncSequence, Sendable
where Jobs: AsyncSequence & Sendable, Jobs.Element: Sealable {
  /// A job with its result.
  public typealias Element = SealedJob<Jobs.Element>

  /// The error that the input throws.
  public typealias Failure = Jobs.Failure

  private let jobs: Jobs
  private let sealer: Sealer
  private let coreCount: Int

  package init(_ jobs: Jobs, sealer: Sealer, coreCount: Int) {
    self.jobs = jobs
    self.sealer = sealer
    self.coreCount = coreCount
  }

  /// Starts over; nothing is read yet.
  public func makeAsyncIterator() -> Iterator { Iterator(self) }

  /// Iterates over the results.
  public struct Iterator: AsyncIteratorProtocol {
    private enum Stage {
      case new(SealedJobs)
      case running(OrderedPipeline<Jobs.Element, Element, Failure>)
      case ended
    }

    private var stage: Stage
    private var ready: ArraySlice<Element> = []

    fileprivate init(_ sequence: SealedJobs) { stage = .new(sequence) }

    /// The next job's result; nil after the last one, and if the task is cancelled.
    ///
    /// - Throws: The input's error.
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

    /// The pass over the input, which starts when the first result is asked for; nil after its end.
    private mutating func run() -> OrderedPipeline<Jobs.Element, Element, Failure>? {
      switch stage {
      case .new(let sequence):
        let sealer = sequence.sealer
        let run = OrderedPipeline(sequence.jobs, coreCount: sequence.coreCount) { (jobs: [Jobs.Element]) in
          zip(jobs, sealer.seal(jobs.map(\.sealJob))).map { SealedJob(job: $0, result: $1) }
        }
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
