public import PushCore

/// Sends pushes to APNs: an ``APNsClient``, another client, or what takes its place in a test.
///
/// A worker needs no more of a client than this. One that sends nothing, in a test:
///
/// ```swift
/// struct Recorder: PushSending {
///   func send(_ push: AddressedPush) async throws(DeliveryError) -> APNsResponse { APNsResponse(status: 200) }
/// }
/// ```
public protocol PushSending: Sendable {
  /// Sends a push, as often as it takes, and gives APNs' last answer.
  ///
  /// - Throws: ``DeliveryError`` if there is no answer.
  func send(_ push: AddressedPush) async throws(DeliveryError) -> APNsResponse

  /// Sends a push for `time` at most, and gives an answer that asks to repeat the push later instead of waiting.
  ///
  /// Without an implementation of yours, `send(_:)` is called, and its task is cancelled when the time is up.
  ///
  /// - Throws: ``DeliveryError`` if there is no answer.
  func send(_ push: AddressedPush, within time: Duration) async throws(DeliveryError) -> APNsResponse

  /// Sends pushes as they come, `limit` of each route at a time, and gives their results as they come.
  ///
  /// Without an implementation of yours, `send(_:)` is called for each in a task of its own.
  func send<Jobs>(_ jobs: Jobs, atATime limit: Int) -> Deliveries<Jobs>

  /// Lets the routes of an app send again that APNs' answers have stopped; nothing without an implementation of yours.
  func resume(topic: Topic, environment: APNsEnvironment) async
}

extension PushSending {
  /// Calls `send(_:)`, and cancels its task when the time is up.
  public func send(
    _ push: AddressedPush, within time: Duration
  ) async throws(DeliveryError) -> APNsResponse {
    typealias Answer = Result<APNsResponse, DeliveryError>
    let result = await withTaskGroup(of: Answer?.self) { group -> Answer? in
      group.addTask {
        do throws(DeliveryError) { return .success(try await send(push)) } catch { return .failure(error) }
      }
      group.addTask {
        try? await SystemClock().sleep(for: time)
        return nil
      }
      let first = await group.next() ?? nil
      group.cancelAll()
      if let first { return first }
      let last = await group.next() ?? nil
      if case .success? = last { return last }
      // A caller that is cancelled learns that, and not that there was no answer in time.
      return Task.isCancelled ? last : nil
    }
    guard let result else { throw DeliveryError(cause: .noAnswer, mayBeDelivered: true) }
    return try result.get()
  }

  /// Calls `send(_:)` for each push, in a task of its own.
  public func send<Jobs>(_ jobs: Jobs, atATime limit: Int = 1000) -> Deliveries<Jobs> {
    Deliveries(jobs: jobs, sender: TaskSender(self), limit: max(1, limit))
  }

  /// Does nothing.
  public func resume(topic: Topic, environment: APNsEnvironment) async {}
}

extension APNsClient: PushSending {
  /// Sends a push as `send(_:)` does, for `time` at most, and gives an answer that asks to repeat the push later instead of
  /// waiting.
  ///
  /// - Throws: ``DeliveryError`` if there is no answer.
  public func send(
    _ push: AddressedPush, within time: Duration
  ) async throws(DeliveryError) -> APNsResponse {
    try await send(push, under: policy.answering(within: time))
  }

  /// Lets the stopped routes of an app send again.
  public func resume(topic: Topic, environment: APNsEnvironment) async {
    let topics = Set(PushType.allCases.map { $0.apnsTopic(of: topic) })
    for route in await stoppedRoutes.keys
    where route.environment == environment && topics.contains(route.topic) {
      await resume(route)
    }
  }
}

extension RetryPolicy {
  /// As many attempts without an answer as there is time for, and no wait for what is to be repeated later.
  fileprivate func answering(within time: Duration) -> RetryPolicy {
    var policy = self
    policy.maximumAttempts = .max
    policy.totalTime = time
    policy.maximumDelay = min(policy.maximumDelay, time / 8)
    policy.actions = policy.actions.mapValues { $0 == .retry ? .end : $0 }
    policy.actionsByStatus = policy.actionsByStatus.mapValues { $0 == .retry ? .end : $0 }
    return policy
  }
}
