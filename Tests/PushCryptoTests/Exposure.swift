import PushCrypto

/// A copy of a secret's bytes, to compare.
func exposed(_ secret: borrowing Secret) -> [UInt8] { [UInt8](copying: secret.exposedBytes) }

/// A source that gives the same bytes each time.
struct FixedRandom: RandomSource {
  let value: [UInt8]

  func fill(_ bytes: inout MutableSpan<UInt8>) {
    precondition(bytes.count == value.count, "the source has \(value.count) bytes, not \(bytes.count)")
    for index in bytes.indices { bytes[index] = value[index] }
  }
}
