#if canImport(Glibc)
  private import COpenSSL  // whose header has malloc's

  /// The memory that the process has allocated.
  public enum Heap {
    /// How many bytes of it are not freed.
    ///
    /// In a process of its own (`processExitsWith`), it changes only by what a test does there.
    public static var size: Int {
      let counts = mallinfo2()
      return Int(counts.uordblks + counts.hblkhd)
    }

    /// By how many bytes it has grown after `work` was repeated so often; what the first few times keep does not count.
    public static func growth(
      repeating count: Int, _ work: (Int) throws -> Void
    ) rethrows -> Int {
      for number in 0..<count / 10 { try work(number) }
      let before = size
      for number in count / 10..<count { try work(number) }
      return size - before
    }
  }
#endif
