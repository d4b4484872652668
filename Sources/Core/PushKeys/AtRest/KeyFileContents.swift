private import PushCrypto

/// The contents of a key file: a set, and the encryption key if the file is encrypted.
package struct KeyFileContents {
  package let keySet: KeySet
  let key: FileKey?

  init(keySet: KeySet, key: FileKey?) {
    self.keySet = keySet
    self.key = key
  }

  /// Reads a file's bytes.
  ///
  /// With a passphrase, an unencrypted set is rejected unless `admitsPlain` is true.
  ///
  /// - Throws: ``KeyFileFault``.
  init(
    opening contents: borrowing FileContents, with passphrase: Passphrase?, admitsPlain: Bool = false
  ) throws(KeyFileFault) {
    guard EncryptedKeySet.isEncrypted(contents.bytes) else {
      let keySet = try Self.parse(contents.bytes)
      guard passphrase == nil || admitsPlain else { throw .notEncrypted }
      self.init(keySet: keySet, key: nil)
      return
    }
    let encrypted = try EncryptedKeySet(parsing: contents.bytes)
    guard let passphrase else { throw .passphraseNeeded }
    let key = try FileKey(
      passphrase: passphrase, salt: encrypted.header.salt, parameters: encrypted.header.parameters)
    let plaintext = try key.decrypt(encrypted)
    self.init(keySet: try Self.parse(plaintext.exposedBytes), key: key)
  }

  private static func parse(_ bytes: Span<UInt8>) throws(KeyFileFault) -> KeySet {
    do throws(KeySetError) {
      return try KeySet(parsing: bytes)
    } catch {
      throw .keySet(error)
    }
  }

  /// The file's bytes, encrypted with a fresh nonce if there is a key; otherwise they are secret, so wipe them.
  ///
  /// - Throws: ``KeyFileFault``.
  func encoded() throws(KeyFileFault) -> [UInt8] {
    var bytes = keySet.encoded()
    guard let key else { return bytes }
    defer { bytes.wipe() }
    return try key.encrypt(bytes.span, random: SystemRandom()).encoded()
  }
}
