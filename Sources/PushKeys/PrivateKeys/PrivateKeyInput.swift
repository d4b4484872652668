internal import PushCrypto

/// What may be a private key of another program, wiped at the end of its life.
package struct PrivateKeyInput: ~Copyable {
  /// The most that is read, in bytes.
  package static let maximumSize = PEM.maximumSize

  private let memory: Secret
  private let count: Int

  /// Calls `read` with the memory and the first place in it that is free, until it reads nothing more, which gives 0;
  /// null if it gives less, or if there is too much.
  package init?(_ read: (inout MutableSpan<UInt8>, Int) -> Int) {
    var count = 0
    var isWhole = false
    let memory = Secret(count: Self.maximumSize) { bytes in
      while count < bytes.count {
        let more = read(&bytes, count)
        guard more > 0 else {
          isWhole = more == 0
          return
        }
        count += more
      }
    }
    guard isWhole else { return nil }
    self.memory = memory
    self.count = count
  }

  /// The key.
  ///
  /// - Throws: ``PrivateKeyError``.
  package func key(
    as format: KeyFormat, _ algorithm: KeyAlgorithm
  ) throws(PrivateKeyError) -> PrivateKey {
    try PrivateKey(parsing: memory.exposedBytes.extracting(0..<count), as: format, algorithm)
  }
}
