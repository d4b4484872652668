internal import PushCore
private import Synchronization

/// Sends the pushes of a sequence.
protocol SequenceSender: Sendable {
  /// The route that a push takes.
  func route(of push: AddressedPush) -> APNsRoute

  /// How long a route may make no progress before it is held up, and the clock that measures this.
  var patience: (time: Duration, clock: any PushClock) { get }

  /// Sends a push of a pass, and calls `give` with its result.
  func send(
    _ push: AddressedPush, on route: APNsRoute, for pass: DeliveryPass,
    then give: @escaping @Sendable (Result<APNsResponse, DeliveryError>) -> Void)

  /// Ends the pushes of a pass.
  func cancel(_ pass: DeliveryPass)
}

extension APNsClient: SequenceSender {}

/// Sends each push of a sequence in a task of its own.
final class TaskSender: SequenceSender {
  private struct State {
    var tasks: [Int: Task<Void, Never>] = [:]
    var lastNumber = 0
  }

  private let sender: any PushSending
  private let state = Mutex(State())

  /// Makes a sender for one sequence.
  init(_ sender: any PushSending) { self.sender = sender }

  func route(of push: AddressedPush) -> APNsRoute {
    APNsRoute(teamID: "", environment: push.address.environment, topic: push.push.headers.apnsTopic)
  }

  var patience: (time: Duration, clock: any PushClock) { (RetryPolicy().patience, SystemClock()) }

  func send(
    _ push: AddressedPush, on route: APNsRoute, for pass: DeliveryPass,
    then give: @escaping @Sendable (Result<APNsResponse, DeliveryError>) -> Void
  ) {
    state.withLock { state in
      state.lastNumber += 1
      let number = state.lastNumber
      state.tasks[number] = Task { [sender, weak self] in
        let result: Result<APNsResponse, DeliveryError>
        do throws(DeliveryError) {
          result = .success(try await sender.send(push))
        } catch {
          result = .failure(error)
        }
        self?.state.withLock { $0.tasks[number] = nil }
        give(result)
        pass.wake?()
      }
      // The pass may have been cancelled since the push was read.
      if pass.isCancelled { state.tasks[number]?.cancel() }
    }
  }

  func cancel(_ pass: DeliveryPass) {
    pass.cancel()
    for task in state.withLock({ $0.tasks.values.map(\.self) }) { task.cancel() }
  }
}
