import Locks
import PushCrypto
import PushTesting
import TestSupport

/// Bytes that follow from a label, in order: the first ones for a blob's key, the next for its salt.
final class SequentialRandomness: RandomSource {
  private let rest: Mutex<[UInt8]>

  init(label: String) { rest = Mutex(FixedRandomness.bytes(of: label)) }

  func fill(_ bytes: inout MutableSpan<UInt8>) {
    let next = rest.withLock { rest in
      precondition(bytes.count <= rest.count, "not enough fixed bytes")
      defer { rest.removeFirst(bytes.count) }
      return Array(rest.prefix(bytes.count))
    }
    for index in bytes.indices { bytes[index] = next[index] }
  }
}
