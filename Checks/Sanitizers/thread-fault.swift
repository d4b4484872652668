// Many threads count without a lock.
import Dispatch

final class Count: @unchecked Sendable {
  var value = 0
}

let count = Count()
DispatchQueue.concurrentPerform(iterations: 8) { _ in for _ in 0..<100_000 { count.value += 1 } }
