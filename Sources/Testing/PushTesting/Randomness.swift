internal import PushCrypto

/// A generator of numbers that look random and are the same in every run: SplitMix64.
///
/// Never use them for keys.
package struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  /// Starts a sequence.
  package init(seed: UInt64) { state = seed }

  /// The next number.
  package mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var word = state
    word = (word ^ (word >> 30)) &* 0xbf58_476d_1ce4_e5b9
    word = (word ^ (word >> 27)) &* 0x94d0_49bb_1331_11eb
    return word ^ (word >> 31)
  }

  /// The next `count` bytes.
  package mutating func bytes(count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) }
  }
}

/// A random source that gives every message the same fixed bytes, so that no byte of a vector varies.
package struct FixedRandomness: RandomSource {
  private let bytes: [UInt8]

  /// Makes a source that returns `bytes`, from the start for every message.
  package init(bytes: [UInt8]) { self.bytes = bytes }

  package func fill(_ output: inout MutableSpan<UInt8>) {
    precondition(output.count <= bytes.count, "not enough fixed bytes")
    for index in output.indices { output[index] = bytes[index] }
  }
}
