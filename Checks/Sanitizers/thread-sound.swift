// Many threads count under a lock for which they wait.
import Dispatch
import Synchronization

final class Count: Sendable {
  let value = Mutex(0)
}

let count = Count()
DispatchQueue.concurrentPerform(iterations: 8) { _ in
  for _ in 0..<20_000 { count.value.withLock { $0 += 1 } }
}
precondition(count.value.withLock { $0 } == 160_000)
