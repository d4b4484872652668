import PushSealer
import PushTesting

/// An input that gives so many jobs, and then waits until it is cancelled.
@available(iOS 18, macOS 15, visionOS 2, *)
struct SilentJobs: AsyncSequence, Sendable {
  typealias Failure = Never

  let jobs: [SealJob]
  /// Fires when it waits.
  let silence = Signal()
  /// Fires when nobody reads any more.
  let end = Signal()

  func makeAsyncIterator() -> Iterator { Iterator(jobs: self) }

  struct Iterator: AsyncIteratorProtocol {
    private let jobs: SilentJobs
    private let end: Fuse
    private var position = 0

    fileprivate init(jobs: SilentJobs) {
      self.jobs = jobs
      end = Fuse(jobs.end)
    }

    mutating func next(isolation actor: isolated (any Actor)?) async -> SealJob? {
      guard position < jobs.jobs.count else {
        jobs.silence.fire()
        await Signal().wait()
        return nil
      }
      defer { position += 1 }
      return jobs.jobs[position]
    }
  }
}
