private import Dispatch
private import Synchronization

/// Waits on a connection's own thread for what tasks find out.
enum BlockingWait {
  /// What `work` gives.
  static func value<Value: Sendable>(_ work: @escaping @Sendable () async -> Value) -> Value {
    let (isThere, found) = (DispatchSemaphore(value: 0), Box<Value>())
    Task {
      let value = await work()
      found.value.withLock { $0 = value }
      isThere.signal()
    }
    isThere.wait()
    guard let value = found.value.withLock(\.self) else { preconditionFailure("the work is done") }
    return value
  }

  private final class Box<Value: Sendable>: Sendable {
    let value = Mutex<Value?>(nil)
  }
}
