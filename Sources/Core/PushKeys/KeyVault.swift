/// Hardware that makes P-256 private keys and never gives them out, such as the Secure Enclave.
///
/// A set holds such a key as a handle, which is of use to this hardware alone.
package protocol KeyVault: Sendable {
  /// Makes a private key; returns its handle, of 1 to ``HardwareKey/maximumHandleSize`` bytes, and its public key, of 65 bytes:
  /// 0x04 and both coordinates (ANSI X9.63).
  ///
  /// A handle that is thrown away is a key that is destroyed.
  ///
  /// - Throws: ``KeyVaultError``.
  func makeKey() throws(KeyVaultError) -> (handle: [UInt8], publicKey: [UInt8])

  /// Returns the shared secret of ECDH with a public key, as ``P256KeyAgreement/sharedSecret(withX963:)`` does.
  ///
  /// - Throws: ``KeyStoreError``.
  func sharedSecret(of handle: [UInt8], withX963 publicKey: [UInt8]) throws(KeyStoreError) -> [UInt8]
}

/// The hardware made no key, and says why.
package struct KeyVaultError: Error {
  /// The reason, to follow a colon.
  let reason: String

  /// Takes the reason.
  package init(_ reason: String) { self.reason = reason }
}

/// A P-256 private key that stays in its hardware.
struct HardwareKey: P256KeyAgreement {
  /// The size of the largest handle, in bytes.
  static let maximumHandleSize = 1024

  /// The hardware that has the key, and makes the next one.
  let vault: any KeyVault

  /// What names the key to its hardware.
  let handle: [UInt8]

  /// The shared secret, computed by the hardware.
  func sharedSecret(withX963 publicKey: [UInt8]) throws(KeyStoreError) -> [UInt8] {
    try vault.sharedSecret(of: handle, withX963: publicKey)
  }
}
