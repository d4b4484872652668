private import Synchronization

/// One pass over pushes, all of which end when nobody wants their results any more.
final class DeliveryPass: Sendable {
  private struct State {
    var isCancelled = false
    var tasks: [UInt64: Task<Void, Never>] = [:]
    var lastNumber: UInt64 = 0
  }

  private let client: APNsClient
  private let state = Mutex(State())

  init(client: APNsClient) { self.client = client }

  /// Whether nobody wants the results any more.
  var isCancelled: Bool { state.withLock(\.isCancelled) }

  /// Its name in the connections that have its requests.
  var id: ObjectIdentifier { ObjectIdentifier(self) }

  /// Sends a push on its route, and gives its result, unless the pass is cancelled.
  func send(
    _ push: AddressedPush, on route: APNsRoute,
    then give: @escaping @Sendable (Result<APNsResponse, DeliveryError>) -> Void
  ) {
    do throws(DeliveryError) {
      try client.sender(of: push, on: route).send(QueuedPush(push: push, pass: self, give: give))
    } catch {
      give(.failure(error))
    }
  }

  /// Does something in a task, which is cancelled with the pass.
  func run(_ work: @escaping @Sendable () async -> Void) {
    state.withLock { state in
      state.lastNumber += 1
      let number = state.lastNumber
      let task = Task { [weak self] in
        await work()
        self?.forget(number)
      }
      if state.isCancelled { task.cancel() } else { state.tasks[number] = task }
    }
  }

  private func forget(_ number: UInt64) { state.withLock { $0.tasks[number] = nil } }

  /// Ends all pushes.
  func cancel() {
    let tasks = state.withLock { state in
      state.isCancelled = true
      defer { state.tasks = [:] }
      return state.tasks.values.map(\.self)
    }
    for task in tasks { task.cancel() }
    client.cancelRequests(of: self)
  }
}

/// A push of a pass, which wants its result.
struct QueuedPush: Sendable {
  let push: AddressedPush
  let pass: DeliveryPass
  let give: @Sendable (Result<APNsResponse, DeliveryError>) -> Void
}
