#if canImport(CryptoKit)
  #if canImport(Glibc)
    internal import Glibc
  #elseif canImport(Darwin)
    internal import Darwin
  #endif

  /// Where a secret's bytes live.
  package enum SecretMemory: Sendable {
    /// The ordinary heap, allocated in nanoseconds: for secrets that live as long as one message.
    case heap

    /// Separate pages between unreadable guard pages, locked into memory and read-only once filled: for private keys
    /// in use. An allocation takes microseconds and three mappings.
    case guarded

    /// Memory that its owner frees.
    case borrowed

    /// Allocates zeroed memory and returns its actual kind: the heap if no mapping is left for guarded pages.
    func allocate(_ count: Int) -> (UnsafeMutableRawBufferPointer, SecretMemory) {
      if case .guarded = self, let memory = unsafe GuardedPages(room: count).map() {
        return unsafe (memory, .guarded)
      }
      let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 16)
      unsafe memory.initializeMemory(as: UInt8.self, repeating: 0)
      return unsafe (memory, .heap)
    }

    /// Makes filled memory read-only if its kind supports that.
    func seal(_ memory: UnsafeMutableRawBufferPointer) {
      guard case .guarded = self else { return }
      unsafe GuardedPages(room: memory.count).protect(memory, isWritable: false)
    }

    /// Overwrites the memory with zeros; the compiler cannot optimize this away.
    func wipe(_ memory: UnsafeMutableRawBufferPointer) {
      if case .guarded = self { unsafe GuardedPages(room: memory.count).protect(memory, isWritable: true) }
      unsafe Wiping.wipe(memory)
    }

    /// Frees the memory, unless it is borrowed.
    func release(_ memory: UnsafeMutableRawBufferPointer) {
      switch self {
      case .heap: unsafe memory.deallocate()
      case .guarded: unsafe GuardedPages(room: memory.count).unmap(memory)
      case .borrowed: break
      }
    }
  }

  /// Memory pages between two inaccessible guard pages; the bytes end where the second guard page starts.
  private struct GuardedPages {
    private let room: Int
    private let pageSize = Int(getpagesize())

    init(room: Int) { self.room = room }

    /// The size of the readable pages, in bytes; at least one page.
    private var size: Int { max(1, (room + pageSize - 1) / pageSize) * pageSize }

    /// Maps zeroed memory, locked if the system allows it.
    ///
    /// Returns `nil` if no mapping is left for the process.
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

    /// Makes the pages writable or read-only.
    func protect(_ memory: UnsafeMutableRawBufferPointer, isWritable: Bool) {
      guard let pages = unsafe pages(of: memory) else { return }
      let protection = isWritable ? PROT_READ | PROT_WRITE : PROT_READ
      precondition(unsafe mprotect(pages, size, protection) == 0, "a mapping can be protected anew")
    }

    /// Unmaps all pages.
    func unmap(_ memory: UnsafeMutableRawBufferPointer) {
      guard let pages = unsafe pages(of: memory) else { return }
      unsafe _ = munlock(pages, size)
      unsafe _ = munmap(pages - pageSize, size + 2 * pageSize)
    }

    private func pages(of memory: UnsafeMutableRawBufferPointer) -> UnsafeMutableRawPointer? {
      unsafe memory.baseAddress.map { unsafe $0 + room - size }
    }
  }

  /// Overwrites memory with zeros; the compiler cannot optimize this away.
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
    /// Overwrites the array with zeros, in place if this is its only owner, and empties it.
    ///
    /// For secrets that have to be in an array. It cannot reach earlier copies, so reserve the array's full capacity
    /// from the start.
    package mutating func wipe() {
      unsafe withUnsafeMutableBytes { unsafe Wiping.wipe($0) }
      removeAll()
    }
  }
#endif
