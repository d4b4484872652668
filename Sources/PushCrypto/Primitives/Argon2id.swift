/// Argon2id (RFC 9106), with one lane: a key from a passphrase, at a price for whoever guesses.
///
/// CryptoKit lacks it.
package enum Argon2id {
  /// Whether there is the algorithm: on Linux alone.
  package static var isAvailable: Bool { Backend.Argon2id.isAvailable }

  /// The length of a salt, in bytes.
  package static let saltSize = 16

  /// What a guess costs.
  package struct Parameters: Hashable, Sendable {
    /// How often the memory is filled, from 1 to 16.
    package let passes: Int
    /// The memory, in bytes: from 8 KiB to 1 GiB, in whole KiB.
    package let memory: Int

    /// Libsodium's "moderate": 3 passes over 256 MiB.
    package static let moderate = Parameters(passes: 3, memory: 256 << 20)!

    /// Takes parameters; null if they are out of range, because whoever can write a file could ask for all the
    /// memory there is.
    package init?(passes: Int, memory: Int) {
      guard (1...16).contains(passes), (8 << 10...1 << 30).contains(memory), memory % 1024 == 0 else {
        return nil
      }
      self.passes = passes
      self.memory = memory
    }
  }

  /// A key of `count` bytes.
  ///
  /// - Throws: ``CryptoError/unavailable`` if the system does not have so much memory, or no such algorithm.
  package static func key(
    of passphrase: Span<UInt8>, salt: Span<UInt8>, _ parameters: Parameters, count: Int
  ) throws(CryptoError) -> Secret {
    precondition(salt.count == saltSize && count >= 16, "wrong salt or key length")
    var isDerived = false
    let key = Secret(count: count) { bytes in
      isDerived = Backend.Argon2id.derive(passphrase, salt, parameters, into: &bytes)
    }
    guard isDerived else { throw .unavailable }
    return key
  }
}
