// Many threads count under a lock: they wait for it, or try again.
import Dispatch
import Synchronization

final class Count: Sendable {
  let value = Mutex(0)
}

let count = Count()
DispatchQueue.concurrentPerform(iterations: 8) { _ in
  for _ in 0..<20_000 { count.value.withLock { $0 += 1 } }
}
DispatchQueue.concurrentPerform(iterations: 8) { _ in
  for _ in 0..<20_000 { while count.value.withLockIfAvailable({ $0 += 1 }) == nil {} }
}
precondition(count.value.withLock { $0 } == 320_000)
