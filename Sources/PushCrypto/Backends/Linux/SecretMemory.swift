internal import CSodium

/// Where a secret's bytes live.
package enum SecretMemory: Sendable {
  /// The ordinary heap, nanoseconds to get: for what lives as long as one message.
  case heap

  /// Pages of their own between unreadable ones, locked into memory, left out of core dumps and read-only once
  /// filled; some 20 microseconds and four mappings to get: for private keys in use.
  case guarded

  /// Memory that somebody else frees.
  case borrowed

  /// Zeroed memory, and its kind: a process that has no mapping left for a guarded page gets heap.
  func allocate(_ count: Int) -> (UnsafeMutableRawBufferPointer, SecretMemory) {
    if case .guarded = self, let start = unsafe Sodium.guardedMemory(count) {
      let memory = unsafe UnsafeMutableRawBufferPointer(start: start, count: count)
      unsafe memory.initializeMemory(as: UInt8.self, repeating: 0)
      return unsafe (memory, .guarded)
    }
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 16)
    unsafe memory.initializeMemory(as: UInt8.self, repeating: 0)
    return unsafe (memory, .heap)
  }

  /// Makes filled memory read-only where its kind can.
  func seal(_ memory: UnsafeMutableRawBufferPointer) {
    guard case .guarded = self, let start = memory.baseAddress else { return }
    unsafe _ = sodium_mprotect_readonly(start)
  }

  /// Overwrites the memory with zeros, in a way that the compiler cannot leave out.
  func wipe(_ memory: UnsafeMutableRawBufferPointer) {
    guard let start = memory.baseAddress else { return }
    if case .guarded = self { unsafe _ = sodium_mprotect_readwrite(start) }
    unsafe sodium_memzero(start, memory.count)
  }

  /// Gives the memory back.
  func release(_ memory: UnsafeMutableRawBufferPointer) {
    switch self {
    case .heap: unsafe memory.deallocate()
    case .guarded: unsafe sodium_free(memory.baseAddress)
    case .borrowed: break
    }
  }
}

extension Sodium {
  /// Guarded memory of `count` bytes, or null if the process can have no more.
  fileprivate static func guardedMemory(_ count: Int) -> UnsafeMutableRawPointer? {
    start()
    return unsafe sodium_malloc(count)
  }
}

extension [UInt8] {
  /// Overwrites the array with zeros, where it stands if this is its only owner, and empties it.
  ///
  /// For bytes that had to be an array. It cannot reach copies made earlier, so the array must have had its
  /// capacity from the start.
  package mutating func wipe() {
    unsafe withUnsafeMutableBytes { unsafe sodium_memzero($0.baseAddress, $0.count) }
    removeAll()
  }
}
