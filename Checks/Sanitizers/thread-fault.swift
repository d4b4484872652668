// Two threads count without a lock, at the same time or not.
import Foundation

final class Count: @unchecked Sendable {
  var value = 0
}

let count = Count()
let ends = DispatchSemaphore(value: 0)
for _ in 0..<2 {
  Thread {
    for _ in 0..<1000 { count.value += 1 }
    ends.signal()
  }.start()
}
for _ in 0..<2 { ends.wait() }
