import Locks
import PushCrypto
import PushSealer
import PushTesting

/// An input that notes how far it was read, and how far that was ahead of what came out.
@available(iOS 18, macOS 15, visionOS 2, *)
struct CountedJobs: AsyncSequence, Sendable {
  typealias Failure = InputError

  let count: Int
  /// Where it fails, instead of giving a job.
  var failsAt: Int?
  let reading = Reading()
  let job: @Sendable (Int) -> SealJob

  init(_ count: Int, failsAt: Int? = nil, _ job: @escaping @Sendable (Int) -> SealJob) {
    self.count = count
    self.failsAt = failsAt
    self.job = job
  }

  func makeAsyncIterator() -> Iterator { Iterator(jobs: self) }

  struct Iterator: AsyncIteratorProtocol {
    private let jobs: CountedJobs
    private let end: Fuse
    private var next = 0

    fileprivate init(jobs: CountedJobs) {
      self.jobs = jobs
      end = Fuse(jobs.reading.end)
    }

    mutating func next(isolation actor: isolated (any Actor)?) async throws(InputError) -> SealJob? {
      guard next != jobs.failsAt else { throw InputError(position: next) }
      guard next < jobs.count else { return nil }
      jobs.reading.read()
      defer { next += 1 }
      return jobs.job(next)
    }
  }
}

@available(iOS 18, macOS 15, visionOS 2, *)
struct InputError: Error, Equatable {
  let position: Int
}

/// How far an input was read.
@available(iOS 18, macOS 15, visionOS 2, *)
final class Reading: Sendable {
  private struct Counts {
    var read = 0
    var given = 0
    var maximumAhead = 0
    var awaited: (count: Int, signal: Signal)?
  }

  /// Fires when nobody reads any more.
  let end = Signal()
  private let counts = Mutex(Counts())

  /// How many jobs were read.
  var count: Int { counts.withLock(\.read) }
  /// The most jobs that were read and had not come out.
  var maximumAhead: Int { counts.withLock(\.maximumAhead) }

  func read() {
    let signal = counts.withLock { counts in
      counts.read += 1
      counts.maximumAhead = max(counts.maximumAhead, counts.read - counts.given)
      return counts.read == counts.awaited?.count ? counts.awaited?.signal : nil
    }
    signal?.fire()
  }

  /// Notes that a result came out.
  func give() { counts.withLock { $0.given += 1 } }

  /// Returns when so many jobs were read.
  func wait(for count: Int) async {
    let signal = Signal()
    let isThere = counts.withLock { counts in
      counts.awaited = (count, signal)
      return counts.read >= count
    }
    if !isThere { await signal.wait() }
  }
}

/// Fires a signal when nobody holds it any more.
@available(iOS 18, macOS 15, visionOS 2, *)
final class Fuse: RandomSource {
  private let signal: Signal

  init(_ signal: Signal) { self.signal = signal }

  deinit { signal.fire() }

  func fill(_ bytes: inout MutableSpan<UInt8>) { SystemRandom().fill(&bytes) }
}
