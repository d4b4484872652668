#if canImport(CryptoKit) && canImport(Security)
  internal import CryptoKit
  internal import Foundation
  internal import PushKeys
  internal import Security

  /// This device's Secure Enclave.
  ///
  /// Its keys can be used from the first unlock after a restart, without Face ID or a passcode, because an extension cannot ask
  /// the person.
  struct SecureEnclaveVault: KeyVault {
    /// Makes a key; its handle is the Enclave's representation of it, which only this Enclave can decrypt.
    ///
    /// - Throws: `KeyVaultError`.
    func makeKey() throws(KeyVaultError) -> (handle: [UInt8], publicKey: [UInt8]) {
      guard SecureEnclave.isAvailable,
        let access = SecAccessControlCreateWithFlags(
          nil, kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly, .privateKeyUsage, nil)
      else { throw KeyVaultError("the device has no Secure Enclave") }
      do {
        let key = try SecureEnclave.P256.KeyAgreement.PrivateKey(accessControl: access)
        return ([UInt8](key.dataRepresentation), [UInt8](key.publicKey.x963Representation))
      } catch {
        throw KeyVaultError(SecurityFault(error).storageError.description)
      }
    }

    /// The shared secret of ECDH, computed in the Enclave.
    ///
    /// The key is loaded each time, because the Enclave has room for only a few keys in use.
    func sharedSecret(
      of handle: [UInt8], withX963 publicKey: [UInt8]
    ) throws(KeyStoreError) -> [UInt8] {
      do {
        let key = try SecureEnclave.P256.KeyAgreement.PrivateKey(dataRepresentation: Data(handle))
        let other = try P256.KeyAgreement.PublicKey(x963Representation: publicKey)
        let secret = try key.sharedSecretFromKeyAgreement(with: other)
        return unsafe secret.withUnsafeBytes { unsafe [UInt8]($0) }
      } catch {
        throw SecurityFault(error).keyStoreError
      }
    }
  }
#endif
