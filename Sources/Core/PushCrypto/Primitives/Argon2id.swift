/// Argon2id (RFC 9106) with one lane: derives a key from a passphrase, and makes each guess expensive.
///
/// CryptoKit lacks it.
package enum Argon2id {
  /// Whether the algorithm is available: on Linux, and on a Mac with libsodium.
  package static var isAvailable: Bool { Backend.Argon2id.isAvailable }

  /// The length of a salt, in bytes.
  package static let saltSize = 16

  /// The cost of one guess.
  package struct Parameters: Hashable, Sendable {
    /// The number of passes over the memory, from 1 to 16.
    package let passes: Int
    /// The amount of memory, in bytes: from 8 KiB to 1 GiB, in whole KiB.
    package let memory: Int

    /// Libsodium's "moderate": 3 passes over 256 MiB.
    package static let moderate = Parameters(passes: 3, memory: 256 << 20)!

    /// Makes parameters; nil if they are out of range, because a malicious file could otherwise claim all memory.
    package init?(passes: Int, memory: Int) {
      guard (1...16).contains(passes), (8 << 10...1 << 30).contains(memory), memory % 1024 == 0 else {
        return nil
      }
      self.passes = passes
      self.memory = memory
    }
  }

  /// Derives a key of `count` bytes.
  ///
  /// - Throws: ``CryptoError/unavailable`` if there is not enough memory, or the system lacks the algorithm.
  package static func key(
    of passphrase: Span<UInt8>, salt: Span<UInt8>, parameters: Parameters, count: Int
  ) throws(CryptoError) -> Secret {
    precondition(salt.count == saltSize && count >= 16, "wrong salt or key length")
    var isDerived = false
    let key = Secret(count: count) { bytes in
      isDerived = Backend.Argon2id.derive(from: passphrase, salt: salt, parameters: parameters, into: &bytes)
    }
    guard isDerived else { throw .unavailable }
    return key
  }
}
