internal import PushCrypto

/// The encryption key of one file, derived from a passphrase, and the parameters of the derivation.
struct FileKey: Sendable {
  let parameters: Argon2id.Parameters
  /// 16 bytes.
  let salt: [UInt8]
  private let secret: SharedSecret

  /// Derives the key of an existing file.
  ///
  /// - Throws: ``KeyFileFault/notEnoughMemory``, ``KeyFileFault/encryptionUnavailable``.
  init(passphrase: Passphrase, salt: [UInt8], parameters: Argon2id.Parameters) throws(KeyFileFault) {
    guard Argon2id.isAvailable else { throw .encryptionUnavailable }
    do throws(CryptoError) {
      secret = SharedSecret(try passphrase.key(salt: salt.span, parameters: parameters))
    } catch {
      throw .notEnoughMemory
    }
    self.salt = salt
    self.parameters = parameters
  }

  /// Derives the key of a new file, with a random salt.
  init(
    new passphrase: Passphrase, parameters: Argon2id.Parameters, random: some RandomSource
  ) throws(KeyFileFault) {
    try self.init(passphrase: passphrase, salt: random.bytes(Argon2id.saltSize), parameters: parameters)
  }

  /// Encrypts a key set with a fresh nonce.
  ///
  /// - Throws: ``KeyFileFault/encryptionUnavailable``.
  func encrypt(_ plaintext: Span<UInt8>, random: some RandomSource) throws(KeyFileFault) -> EncryptedKeySet {
    let nonce = random.bytes(XChaCha20Poly1305.nonceSize)
    let header = EncryptionHeader(parameters: parameters, salt: salt, nonce: nonce)
    let data = header.encoded
    let secret = self.secret
    do throws(CryptoError) {
      let ciphertext = try XChaCha20Poly1305.seal(
        plaintext, authenticating: data.span, key: secret.exposedBytes, nonce: nonce.span)
      return EncryptedKeySet(header: header, ciphertext: ciphertext)
    } catch {
      throw .encryptionUnavailable
    }
  }

  /// Decrypts a key set that was encrypted with this key.
  ///
  /// - Throws: ``KeyFileFault/wrongPassphrase``.
  func decrypt(_ encrypted: EncryptedKeySet) throws(KeyFileFault) -> Secret {
    let data = encrypted.header.encoded
    let (nonce, ciphertext) = (encrypted.header.nonce, encrypted.ciphertext)
    let secret = self.secret
    do throws(CryptoError) {
      return try XChaCha20Poly1305.open(
        ciphertext.span, authenticating: data.span, key: secret.exposedBytes, nonce: nonce.span)
    } catch {
      throw .wrongPassphrase
    }
  }
}

extension RandomSource {
  /// Random bytes that need not be secret.
  fileprivate func bytes(_ count: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var span = bytes.mutableSpan
    fill(&span)
    return bytes
  }
}
