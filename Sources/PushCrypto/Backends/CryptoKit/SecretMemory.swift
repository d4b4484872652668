#if canImport(CryptoKit)
  /// Where a secret's bytes live.
  package enum SecretMemory: Sendable {
    /// The ordinary heap, nanoseconds to get: for what lives as long as one message.
    case heap

    /// Pages of their own between unreadable ones, locked into memory and read-only once filled; microseconds
    /// and three mappings to get: for private keys in use.
    case guarded

    /// Memory that somebody else frees.
    case borrowed

    /// Zeroed memory, and its kind: a process that has no mapping left for a guarded page gets heap.
    func allocate(_ count: Int) -> (UnsafeMutableRawBufferPointer, SecretMemory) {
      if case .guarded = self, let memory = unsafe GuardedPages(room: count).map() {
        return unsafe (memory, .guarded)
      }
      let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 16)
      unsafe memory.initializeMemory(as: UInt8.self, repeating: 0)
      return unsafe (memory, .heap)
    }

    /// Makes filled memory read-only where its kind can.
    func seal(_ memory: UnsafeMutableRawBufferPointer) {
      guard case .guarded = self else { return }
      unsafe GuardedPages(room: memory.count).protect(memory, isWritable: false)
    }

    /// Overwrites the memory with zeros, in a way that the compiler cannot leave out.
    func wipe(_ memory: UnsafeMutableRawBufferPointer) {
      if case .guarded = self { unsafe GuardedPages(room: memory.count).protect(memory, isWritable: true) }
      unsafe Wiping.wipe(memory)
    }

    /// Gives the memory back.
    func release(_ memory: UnsafeMutableRawBufferPointer) {
      switch self {
      case .heap: unsafe memory.deallocate()
      case .guarded: unsafe GuardedPages(room: memory.count).unmap(memory)
      case .borrowed: break
      }
    }
  }
#endif
