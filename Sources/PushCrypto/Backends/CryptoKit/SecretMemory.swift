#if canImport(CryptoKit)
  #if canImport(Glibc)
    internal import Glibc
  #elseif canImport(Darwin)
    internal import Darwin
  #endif

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

  /// Pages between two that nobody can touch, for so many bytes at their very end.
  private struct GuardedPages {
    private let room: Int
    private let pageSize = Int(getpagesize())

    init(room: Int) { self.room = room }

    /// The readable pages, in bytes, at least one.
    private var size: Int { max(1, (room + pageSize - 1) / pageSize) * pageSize }

    /// Zeroed memory for the bytes, locked if the system allows; null if the process can have no more.
    func map() -> UnsafeMutableRawBufferPointer? {
      let whole = unsafe mmap(nil, size + 2 * pageSize, PROT_NONE, MAP_PRIVATE | MAP_ANON, -1, 0)
      guard let whole = unsafe whole, unsafe whole != MAP_FAILED else { return nil }
      let pages = unsafe whole + pageSize
      guard unsafe mprotect(pages, size, PROT_READ | PROT_WRITE) == 0 else {
        unsafe _ = munmap(whole, size + 2 * pageSize)
        return nil
      }
      unsafe _ = mlock(pages, size)
      return unsafe UnsafeMutableRawBufferPointer(start: pages + size - room, count: room)
    }

    /// Lets the bytes be written, or only read.
    func protect(_ memory: UnsafeMutableRawBufferPointer, isWritable: Bool) {
      guard let pages = unsafe pages(of: memory) else { return }
      let protection = isWritable ? PROT_READ | PROT_WRITE : PROT_READ
      precondition(unsafe mprotect(pages, size, protection) == 0, "a mapping can be protected anew")
    }

    /// Gives all pages back.
    func unmap(_ memory: UnsafeMutableRawBufferPointer) {
      guard let pages = unsafe pages(of: memory) else { return }
      unsafe _ = munlock(pages, size)
      unsafe _ = munmap(pages - pageSize, size + 2 * pageSize)
    }

    private func pages(of memory: UnsafeMutableRawBufferPointer) -> UnsafeMutableRawPointer? {
      unsafe memory.baseAddress.map { unsafe $0 + room - size }
    }
  }

  /// Overwriting with zeros, in a way that the compiler cannot leave out.
  enum Wiping {
    static func wipe(_ memory: UnsafeMutableRawBufferPointer) {
      guard let start = memory.baseAddress else { return }
      #if canImport(Darwin)
        unsafe _ = memset_s(start, memory.count, 0, memory.count)
      #else
        unsafe explicit_bzero(start, memory.count)
      #endif
    }
  }

  extension [UInt8] {
    /// Overwrites the array with zeros, where it stands if this is its only owner, and empties it.
    ///
    /// For bytes that had to be an array. It cannot reach copies made earlier, so the array must have had its
    /// capacity from the start.
    package mutating func wipe() {
      unsafe withUnsafeMutableBytes { unsafe Wiping.wipe($0) }
      removeAll()
    }
  }
#endif
