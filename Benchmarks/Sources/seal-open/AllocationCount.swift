import Allocations

/// What one operation allocates.
struct AllocationCount {
  /// How many times it asks for memory.
  let count: Int

  /// How much memory it asks for, in bytes.
  let bytes: Int

  /// Counts what `work` asks for on this thread, on average of `repetitions`.
  init(repetitions: Int = 100, of work: () throws -> Void) rethrows {
    try work()  // what is made once is not counted
    let before = allocations_of_this_thread()
    for _ in 0..<repetitions { try work() }
    let after = allocations_of_this_thread()
    count = Int(after.count - before.count) / repetitions
    bytes = Int(after.bytes - before.bytes) / repetitions
  }
}
