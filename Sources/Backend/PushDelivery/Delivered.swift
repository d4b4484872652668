public import PushCore
private import Synchronization

/// A job with its result.
public struct Delivered<Job: Deliverable>: Sendable {
  /// The job, as it was given.
  public let job: Job

  /// APNs' last answer, or why there is none.
  public let result: Result<APNsResponse, DeliveryError>
}

extension APNsClient {
  /// Sends pushes, and gives their results in the same order when the last one has ended.
  ///
  /// ```swift
  /// for sent in try await client.send(sealer.seal(notification, to: .person("ada"), in: store)) {
  ///   print(sent.job.device, sent.result)
  /// }
  /// ```
  ///
  /// A push that fails does not affect the others. It may take as long as ``RetryPolicy/totalTime``; cancel its task to
  /// end it. All of `jobs` is in memory at a time: for more, there is `send(_:atATime:)`.
  public func send<Job: Deliverable>(_ jobs: [Job]) async -> [Delivered<Job>] {
    let pass = DeliveryPass()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let results = DeliveryResults(of: jobs) { continuation.resume(returning: $0) }
        for (index, job) in jobs.enumerated() { send(job, for: pass) { results.take($0, at: index) } }
      }
    } onCancel: {
      cancel(pass)
    }
  }

  /// Sends a job's push, and calls `give` with its result.
  private func send(
    _ job: some Deliverable, for pass: DeliveryPass,
    then give: @escaping @Sendable (Result<APNsResponse, DeliveryError>) -> Void
  ) {
    do throws(DeliveryError) {
      let push = try job.pushToSend()
      send(push, on: route(of: push), for: pass, then: give)
    } catch {
      give(.failure(error))
    }
  }
}

/// The results of jobs, until there are all.
private final class DeliveryResults<Job: Deliverable>: Sendable {
  private struct State {
    var results: [Result<APNsResponse, DeliveryError>?]
    var missing: Int
  }

  private let jobs: [Job]
  private let state: Mutex<State>
  private let done: @Sendable ([Delivered<Job>]) -> Void

  /// Calls `done` once, when there is a result for each of the jobs.
  init(of jobs: [Job], done: @escaping @Sendable ([Delivered<Job>]) -> Void) {
    self.jobs = jobs
    self.done = done
    state = Mutex(State(results: Array(repeating: nil, count: jobs.count), missing: jobs.count))
    if jobs.isEmpty { done([]) }
  }

  func take(_ result: Result<APNsResponse, DeliveryError>, at index: Int) {
    let all = state.withLock { state -> [Result<APNsResponse, DeliveryError>]? in
      state.results[index] = result
      state.missing -= 1
      return state.missing == 0 ? state.results.compactMap(\.self) : nil
    }
    guard let all else { return }
    done(zip(jobs, all).map { Delivered(job: $0, result: $1) })
  }
}

extension Deliverable {
  /// The push and its address.
  ///
  /// - Throws: ``DeliveryError``; `notSealed`, with the reason.
  func pushToSend() throws(DeliveryError) -> AddressedPush {
    do {
      return try addressedPush
    } catch {
      throw DeliveryError(cause: .notSealed("\(error)"), mayBeDelivered: false)
    }
  }
}
