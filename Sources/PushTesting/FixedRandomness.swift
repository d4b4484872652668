internal import PushCrypto

/// Random bytes that are not random: the same ones for every message, so that a vector pins every byte.
package struct FixedRandomness: RandomSource {
  private let bytes: [UInt8]

  /// Gives `bytes`, from the start for every message.
  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  package func fill(_ output: inout MutableSpan<UInt8>) {
    precondition(output.count <= bytes.count, "not enough fixed bytes")
    for index in output.indices { output[index] = bytes[index] }
  }
}
