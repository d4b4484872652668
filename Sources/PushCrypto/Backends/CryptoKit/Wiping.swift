#if canImport(CryptoKit)
  #if canImport(Glibc)
    internal import Glibc
  #elseif canImport(Darwin)
    internal import Darwin
  #endif

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
