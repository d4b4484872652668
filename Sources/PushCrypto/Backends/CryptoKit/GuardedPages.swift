#if canImport(CryptoKit)
  #if canImport(Glibc)
    internal import Glibc
  #elseif canImport(Darwin)
    internal import Darwin
  #endif

  /// Pages between two that nobody can touch, for so many bytes at their very end.
  struct GuardedPages {
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
#endif
