#if canImport(CryptoKit)
  /// The operating system's random number generator, called each time, so that a forked process shares no state.
  package struct SystemRandom: RandomSource {
    /// Makes the source.
    package init() {}

    /// False: the bytes are unpredictable.
    package var isRepeatable: Bool { false }

    package func fill(_ bytes: inout MutableSpan<UInt8>) {
      var generator = SystemRandomNumberGenerator()
      for index in bytes.indices { bytes[index] = generator.next() }
    }
  }
#endif
