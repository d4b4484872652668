package import PushCrypto
public import PushReceiver

extension OpenSSLSalted {
  /// An envelope of `plaintext` in base64, in one line, under a new salt.
  ///
  /// `openssl enc -d -aes-256-cbc -a -A` opens it.
  ///
  /// - Throws: `EnvelopeFormatError`: `tooLarge` above 8192 characters, `unavailable`.
  public func seal(_ plaintext: Span<UInt8>) throws(EnvelopeFormatError) -> String {
    let bytes = try sealedBytes(plaintext)
    return Base64.encode(bytes.span)
  }

  /// An envelope of `plaintext` as bytes, as `openssl enc` writes it without `-a`.
  ///
  /// - Throws: `EnvelopeFormatError`, as ``seal(_:)`` does.
  public func sealedBytes(_ plaintext: Span<UInt8>) throws(EnvelopeFormatError) -> [UInt8] {
    try sealedBytes(plaintext, random: SystemRandom())
  }

  /// An envelope under a salt from `random`.
  package func sealedBytes(
    _ plaintext: Span<UInt8>, random: some RandomSource
  ) throws(EnvelopeFormatError) -> [UInt8] {
    // A whole block of padding at most.
    guard plaintext.count <= Base64.maximumByteCount - SaltedLayout.salt.upperBound - AESCBC.blockSize else {
      throw .tooLarge
    }
    var salt = [UInt8](repeating: 0, count: EVPBytesToKey.saltSize)
    var span = salt.mutableSpan
    random.fill(&span)
    do throws(CryptoError) {
      return SaltedLayout.magic + salt + (try encrypt(plaintext, salt))
    } catch {
      throw EnvelopeFormatError(error)
    }
  }

  private func encrypt(_ plaintext: Span<UInt8>, _ salt: [UInt8]) throws(CryptoError) -> [UInt8] {
    let password = self.password
    let derived = SharedSecret(try derivation.key(of: password.exposedBytes, salt: salt.span))
    return try AESCBC.encrypt(
      plaintext, key: derived.exposedBytes.extracting(first: 32),
      initializationVector: derived.exposedBytes.extracting(droppingFirst: 32))
  }
}
