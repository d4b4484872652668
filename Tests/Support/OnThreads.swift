import Foundation

/// Runs `work` on `count` threads of its own, and waits for all of them.
package func onThreads(_ count: Int, _ work: @escaping @Sendable (Int) -> Void) async {
  await withTaskGroup { group in
    for index in 0..<count {
      group.addTask {
        await withCheckedContinuation { continuation in
          Thread.detachNewThread {
            work(index)
            continuation.resume()
          }
        }
      }
    }
  }
}
