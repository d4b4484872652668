#if canImport(Glibc)
  private import Glibc
  private import Locks
#endif

/// Random numbers for IDs, which are not secret.
///
/// On Linux several are drawn at once, because a system call takes longer than everything else about an ID.
enum RandomIDs {
  /// The next 128 random bits.
  static func next() -> (UInt64, UInt64) {
    #if canImport(Glibc)
      // Never waits for the lock: after a fork, the thread that holds it may not exist.
      if let number = page.withLockIfAvailable({ $0?.next() }) ?? nil { return number }
    #endif
    var generator = SystemRandomNumberGenerator()
    return (generator.next(), generator.next())
  }

  #if canImport(Glibc)
    private static let page = Mutex(RandomPage())
  #endif
}

#if canImport(Glibc)
  /// A page of random numbers, each used once.
  ///
  /// The kernel wipes the page on fork, so a forked process finds zeros and draws its own numbers.
  @safe
  private struct RandomPage: ~Copyable, @unchecked Sendable {
    /// The page: the count of unused numbers in the first word, and the numbers from the third.
    private let words: UnsafeMutablePointer<UInt64>

    private static let size = Int(sysconf(Int32(_SC_PAGESIZE)))
    /// The 128-bit numbers that one system call gives, which is limited to 256 bytes.
    private static let drawnCount = 16
    /// From Linux's `asm-generic/mman-common.h`, which Glibc's module lacks.
    private static let wipeOnFork: CInt = 18

    /// Allocates a page; nil before Linux 4.14, which introduced wiping on fork.
    init?() {
      let page = unsafe mmap(nil, Self.size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
      guard let page = unsafe page, unsafe page != MAP_FAILED else { return nil }
      guard unsafe madvise(page, Self.size, Self.wipeOnFork) == 0 else {
        unsafe munmap(page, Self.size)
        return nil
      }
      unsafe words = page.bindMemory(to: UInt64.self, capacity: Self.size / 8)
    }

    /// The next number; nil if the system gives none.
    mutating func next() -> (UInt64, UInt64)? {
      if unsafe words[0] == 0 {
        guard unsafe getentropy(words + 2, Self.drawnCount * 16) == 0 else { return nil }
        unsafe words[0] = UInt64(Self.drawnCount)
      }
      let last = unsafe words + 2 * Int(words[0])
      unsafe words[0] -= 1
      return unsafe (last[0], last[1])
    }
  }
#endif
