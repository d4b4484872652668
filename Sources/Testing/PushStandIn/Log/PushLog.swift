internal import PushCore
internal import PushKeys
private import Synchronization

/// The last pushes that arrived, and what became of them.
final class PushLog: Sendable {
  private struct State {
    /// The pushes, each at its number modulo the capacity.
    var kept: [LoggedPush] = []
    var count = 0
    var watchers: [Int: AsyncStream<LoggedPush>.Continuation] = [:]
    var nextWatcher = 0

    func index(of number: Int, capacity: Int) -> Int? {
      number > max(0, count - capacity) && number <= count ? (number - 1) % capacity : nil
    }

    func tell(of push: LoggedPush) {
      for watcher in watchers.values { watcher.yield(push) }
    }
  }

  /// The most pushes that are kept.
  private let capacity: Int
  private let state = Mutex(State())

  /// The most headers that are kept for a push, and the most bytes of each.
  private static let headerLimits = (count: 20, bytes: 256)

  init(capacity: Int) { self.capacity = max(capacity, 1) }

  /// The number of pushes so far.
  var count: Int { state.withLock(\.count) }

  /// The kept pushes, the oldest first.
  var pushes: [LoggedPush] {
    state.withLock { state in
      let first = state.count % capacity
      return state.count <= capacity ? state.kept : Array(state.kept[first...] + state.kept[..<first])
    }
  }

  /// A push by its number; nil if it is not kept.
  subscript(number: Int) -> LoggedPush? {
    state.withLock { state in
      state.index(of: number, capacity: capacity).map { state.kept[$0] }
    }
  }

  /// Adds a request, and returns its number.
  func add(
    _ request: APNsRequest, messageID: MessageID, phone: String?, fate: LoggedPush.Fate, at now: UnixTime
  ) -> Int {
    let headers = request.headers.filter { $0.name.hasPrefix("apns-") }.prefix(Self.headerLimits.count)
    return state.withLock { state in
      state.count += 1
      let push = LoggedPush(
        number: state.count, time: now, phone: phone,
        token: String(
          request.path.dropFirst(APNsRequest.devicePath.count).prefix(2 * DeviceToken.maximumSize)),
        messageID: messageID,
        headers: headers.map { .init(name: Self.cut($0.name), value: Self.cut($0.value)) },
        payload: Array(request.body.prefix(5120)), size: request.body.count, fate: fate)
      if state.kept.count < capacity {
        state.kept.append(push)
      } else {
        state.kept[(state.count - 1) % capacity] = push
      }
      state.tell(of: push)
      return state.count
    }
  }

  /// The first bytes of a text; by bytes, because a single character can be of any length.
  private static func cut(_ text: String) -> String {
    String(decoding: text.utf8.prefix(headerLimits.bytes), as: UTF8.self)
  }

  /// Changes a push, if it is still kept.
  func update(_ number: Int, change: (inout LoggedPush) -> Void) {
    state.withLock { state in
      guard let index = state.index(of: number, capacity: capacity) else { return }
      change(&state.kept[index])
      state.tell(of: state.kept[index])
    }
  }

  /// A stream of the pushes that arrive from now on, and of each of their changes.
  ///
  /// A reader that falls more than ``capacity`` pushes behind misses the oldest ones.
  func updates() -> AsyncStream<LoggedPush> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: LoggedPush.self, bufferingPolicy: .bufferingNewest(capacity))
    let watcher = state.withLock { state in
      state.nextWatcher += 1
      state.watchers[state.nextWatcher] = continuation
      return state.nextWatcher
    }
    // Cancelling a reader holds its task's lock, which `tell` needs to resume the task: so this must not wait for
    // `tell`.
    continuation.onTermination = { [weak self] _ in Task { self?.forget(watcher) } }
    return stream
  }

  private func forget(_ watcher: Int) { state.withLock { _ = $0.watchers.removeValue(forKey: watcher) } }
}
