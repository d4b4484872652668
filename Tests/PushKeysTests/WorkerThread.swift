import Foundation
import Locks

/// A thread that computes one Boolean.
final class WorkerThread: Sendable {
  private let answer = Mutex(false)
  private let end = DispatchSemaphore(value: 0)

  init(_ body: @escaping @Sendable () -> Bool) {
    Thread.detachNewThread {
      let result = body()
      self.answer.withLock { $0 = result }
      self.end.signal()
    }
  }

  /// Waits for the answer.
  func result() -> Bool {
    end.wait()
    return answer.withLock { $0 }
  }
}
