#if canImport(CSodium)
  internal import CSodium

  /// Argon2id from libsodium.
  ///
  /// ``Argon2id`` has checked lengths and parameters.
  enum SodiumArgon2id {
    static var isAvailable: Bool { true }

    /// Returns `false` if there is not enough memory.
    static func derive(
      from passphrase: Span<UInt8>, salt: Span<UInt8>, parameters: Argon2id.Parameters,
      into key: inout MutableSpan<UInt8>
    ) -> Bool {
      Sodium.start()
      return unsafe key.withPointer { output, count in
        unsafe passphrase.withPointer { passphrase, passphraseCount in
          unsafe salt.withPointer { salt, _ in
            unsafe passphrase.withMemoryRebound(to: CChar.self, capacity: passphraseCount) { passphrase in
              unsafe crypto_pwhash(
                output, UInt64(count), passphrase, UInt64(passphraseCount), salt, UInt64(parameters.passes),
                parameters.memory, crypto_pwhash_ALG_ARGON2ID13) == 0
            }
          }
        }
      }
    }
  }
#endif
