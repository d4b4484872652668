#if !canImport(CryptoKit)
  internal import CSodium

  /// Where a secret's bytes live.
  package enum SecretMemory: Sendable {
    /// The ordinary heap, allocated in nanoseconds: for secrets that live as long as one message.
    case heap

    /// Separate pages between unreadable guard pages, locked into memory, excluded from core dumps and read-only once
    /// filled: for private keys in use. An allocation takes some 20 microseconds and four mappings.
    case guarded

    /// Memory that its owner frees.
    case borrowed

    /// Allocates zeroed memory and returns its actual kind: the heap if no mapping is left for guarded pages.
    func allocate(_ count: Int) -> (UnsafeMutableRawBufferPointer, SecretMemory) {
      if case .guarded = self, let start = unsafe Sodium.guardedMemory(count) {
        let memory = unsafe UnsafeMutableRawBufferPointer(start: start, count: count)
        unsafe memory.initializeMemory(as: UInt8.self, repeating: 0)
        return unsafe (memory, .guarded)
      }
      guard let start = unsafe calloc(max(count, 1), 1) else { preconditionFailure("memory ran out") }
      return unsafe (UnsafeMutableRawBufferPointer(start: start, count: count), .heap)
    }

    /// Makes filled memory read-only if its kind supports that.
    func seal(_ memory: UnsafeMutableRawBufferPointer) {
      guard case .guarded = self, let start = memory.baseAddress else { return }
      unsafe _ = sodium_mprotect_readonly(start)
    }

    /// Overwrites the memory with zeros; the compiler cannot optimize this away.
    func wipe(_ memory: UnsafeMutableRawBufferPointer) {
      guard let start = memory.baseAddress else { return }
      if case .guarded = self { unsafe _ = sodium_mprotect_readwrite(start) }
      unsafe sodium_memzero(start, memory.count)
    }

    /// Frees the memory, unless it is borrowed.
    func release(_ memory: UnsafeMutableRawBufferPointer) {
      switch self {
      case .heap: unsafe free(memory.baseAddress)
      case .guarded: unsafe sodium_free(memory.baseAddress)
      case .borrowed: break
      }
    }
  }

  extension Sodium {
    /// Returns guarded memory of `count` bytes, or `nil` if no mapping is left for the process.
    fileprivate static func guardedMemory(_ count: Int) -> UnsafeMutableRawPointer? {
      start()
      return unsafe sodium_malloc(count)
    }
  }

  extension [UInt8] {
    /// Overwrites the array with zeros, in place if this is its only owner, and empties it.
    ///
    /// For secrets that have to be in an array. It cannot reach earlier copies, so reserve the array's full capacity
    /// from the start.
    package mutating func wipe() {
      unsafe withUnsafeMutableBytes { unsafe sodium_memzero($0.baseAddress, $0.count) }
      removeAll()
    }
  }
#endif
