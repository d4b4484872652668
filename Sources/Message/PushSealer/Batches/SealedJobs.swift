internal import PushKeys

extension Sealer {
  /// Seals jobs as they come, on all cores, and returns one result for each job, in order.
  ///
  /// ``SealedResults`` documents how far ahead `jobs` is read, and when the sequence ends.
  public func seal<Jobs>(_ jobs: Jobs) -> SealedJobs<Jobs>
  where Jobs: AsyncSequence & Sendable, Jobs.Element: Sealable {
    SealedJobs(jobs, sealer: self, coreCount: Cores.count)
  }

  /// Seals jobs to persons as they come, on all cores, each to all of the person's devices, and returns one element for
  /// each job, in order.
  ///
  /// ``SealedResults`` documents how far ahead `jobs` is read, and when the sequence ends.
  public func seal<Jobs>(_ jobs: Jobs) -> SealedFanOuts<Jobs>
  where Jobs: AsyncSequence & Sendable, Jobs.Element: FanOutSealable {
    SealedFanOuts(jobs, sealer: self, coreCount: Cores.count)
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

/// Something that a sealer seals to persons: a job for all of a person's devices, or a value of your own that has one.
///
/// The value comes back with the results.
public protocol FanOutSealable: Sendable {
  /// The job; it is asked for on any thread.
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

/// The results of jobs that are sealed as they come, in their order.
public typealias SealedJobs<Jobs> = SealedResults<Jobs, SealedJob<Jobs.Element>>
where Jobs: AsyncSequence & Sendable, Jobs.Element: Sealable

/// The results of jobs to persons that are sealed as they come, in their order.
public typealias SealedFanOuts<Jobs> = SealedResults<Jobs, SealedFanOut<Jobs.Element>>
where Jobs: AsyncSequence & Sendable, Jobs.Element: FanOutSealable

extension SealedResults where Jobs.Element: Sealable, Element == SealedJob<Jobs.Element> {
  package init(_ jobs: Jobs, sealer: Sealer, coreCount: Int) {
    self.init(jobs, coreCount: coreCount) { jobs in
      zip(jobs, sealer.seal(jobs.map(\.sealJob))).map { SealedJob(job: $0, result: $1) }
    }
  }
}

extension SealedResults where Jobs.Element: FanOutSealable, Element == SealedFanOut<Jobs.Element> {
  package init(_ jobs: Jobs, sealer: Sealer, coreCount: Int) {
    // Measured by devices, so that a chunk of persons with many takes no more memory than one of jobs.
    let limit = ChunkLimit(size: SealingBatch.maximumCount)
    self.init(jobs, coreCount: coreCount, limit: limit, size: { $0.fanOutJob.devices.count }) { jobs in
      zip(jobs, sealer.seal(jobs.map(\.fanOutJob))).map { SealedFanOut(job: $0, pushes: $1) }
    }
  }
}
