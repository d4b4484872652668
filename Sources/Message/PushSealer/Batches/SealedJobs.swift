internal import PushKeys

extension Sealer {
  /// Seals jobs as they arrive, on all cores, and returns one result for each job, in order.
  ///
  /// ``SealedResults`` documents how far ahead `jobs` is read, and when the sequence ends.
  @available(iOS 18, macOS 15, visionOS 2, *)
  public func seal<Jobs>(_ jobs: Jobs) -> SealedJobs<Jobs>
  where Jobs: AsyncSequence & Sendable, Jobs.Element: Sealable {
    SealedJobs(jobs, sealer: self, coreCount: Cores.count)
  }

  /// Seals jobs as they arrive, on all cores, each to all of a person's devices, and returns one element for each job,
  /// in order.
  ///
  /// ``SealedResults`` documents how far ahead `jobs` is read, and when the sequence ends.
  @available(iOS 18, macOS 15, visionOS 2, *)
  public func seal<Jobs>(_ jobs: Jobs) -> SealedFanOuts<Jobs>
  where Jobs: AsyncSequence & Sendable, Jobs.Element: FanOutSealable {
    SealedFanOuts(jobs, sealer: self, coreCount: Cores.count)
  }
}

/// A job for a sequence of jobs: a ``SealJob``, or a value of your own that has one.
///
/// The value comes back with the result, so it can carry whatever your backend needs then, such as the device's token
/// or the queue's message to acknowledge.
public protocol Sealable: Sendable {
  /// The job; it is read once, on any thread.
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
  public let result: Result<SealedNotification, SealError>
}

/// A job to a person for a sequence of jobs: a ``FanOutJob``, or a value of your own that has one.
///
/// The value comes back with the results.
public protocol FanOutSealable: Sendable {
  /// The job; it is read on any thread.
  var fanOutJob: FanOutJob { get }
}

extension FanOutJob: FanOutSealable {
  /// The job itself.
  public var fanOutJob: FanOutJob { self }
}

/// A job to a person with its results.
public struct SealedFanOut<Job: FanOutSealable>: Sendable {
  /// The job, as it was given.
  public let job: Job

  /// Each device's sealed push, or why there is none, in the order of the job's devices.
  public let pushes: [DevicePush]
}

/// The results of jobs that are sealed as they arrive, in the jobs' order.
@available(iOS 18, macOS 15, visionOS 2, *)
public typealias SealedJobs<Jobs> = SealedResults<Jobs, SealedJob<Jobs.Element>>
where Jobs: AsyncSequence & Sendable, Jobs.Element: Sealable

/// The results of jobs to persons that are sealed as they arrive, in the jobs' order.
@available(iOS 18, macOS 15, visionOS 2, *)
public typealias SealedFanOuts<Jobs> = SealedResults<Jobs, SealedFanOut<Jobs.Element>>
where Jobs: AsyncSequence & Sendable, Jobs.Element: FanOutSealable

@available(iOS 18, macOS 15, visionOS 2, *)
extension SealedResults where Jobs.Element: Sealable, Element == SealedJob<Jobs.Element> {
  package init(_ jobs: Jobs, sealer: Sealer, coreCount: Int) {
    self.init(jobs, coreCount: coreCount) { jobs in
      zip(jobs, sealer.seal(jobs.map(\.sealJob))).map { SealedJob(job: $0, result: $1) }
    }
  }
}

@available(iOS 18, macOS 15, visionOS 2, *)
extension SealedResults where Jobs.Element: FanOutSealable, Element == SealedFanOut<Jobs.Element> {
  package init(_ jobs: Jobs, sealer: Sealer, coreCount: Int) {
    // The size counts devices, so that a chunk of persons with many devices takes no more memory than one of jobs.
    let limit = ChunkLimit(size: SealingBatch.maximumCount)
    self.init(jobs, coreCount: coreCount, limit: limit, size: { $0.fanOutJob.devices.count }) { jobs in
      zip(jobs, sealer.seal(jobs.map(\.fanOutJob))).map { SealedFanOut(job: $0, pushes: $1) }
    }
  }
}
