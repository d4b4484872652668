#if canImport(CryptoKit) && canImport(Security)
  internal import CryptoKit
  internal import Foundation
  internal import PushKeys
  internal import Security

  /// A P-256 private key in the Secure Enclave, which uses it and never gives it away.
  ///
  /// It can be used from the first unlock after a restart, without Face ID or a passcode, because an extension has
  /// nobody to ask.
  struct SecureEnclaveKey: P256KeyAgreement {
    /// What the Enclave made of the key, encrypted for itself alone.
    let handle: Data

    /// The public key: 65 bytes, 0x04 and both coordinates.
    let publicKey: [UInt8]

    /// Makes a new key.
    ///
    /// - Throws: ``StorageError/noSecureEnclave``, ``StorageError/refused(code:)``.
    init() throws(StorageError) {
      guard SecureEnclave.isAvailable,
        let access = SecAccessControlCreateWithFlags(
          nil, kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly, .privateKeyUsage, nil)
      else { throw .noSecureEnclave }
      do {
        self.init(try SecureEnclave.P256.KeyAgreement.PrivateKey(accessControl: access))
      } catch {
        throw .refused(code: (error as NSError).code)
      }
    }

    /// Takes a key that was made before.
    ///
    /// - Throws: `KeyStoreError`.
    init(handle: Data) throws(KeyStoreError) {
      do {
        self.init(try SecureEnclave.P256.KeyAgreement.PrivateKey(dataRepresentation: handle))
      } catch {
        throw KeyStoreError(error)
      }
    }

    private init(_ key: SecureEnclave.P256.KeyAgreement.PrivateKey) {
      handle = key.dataRepresentation
      publicKey = [UInt8](key.publicKey.x963Representation)
    }

    /// The shared secret of ECDH with a public key, computed in the Enclave.
    ///
    /// The key is taken up anew each time, since the Enclave has few places for keys in use.
    func sharedSecret(withX963 publicKey: [UInt8]) throws(KeyStoreError) -> [UInt8] {
      do {
        let key = try SecureEnclave.P256.KeyAgreement.PrivateKey(dataRepresentation: handle)
        let other = try P256.KeyAgreement.PublicKey(x963Representation: publicKey)
        let secret = try key.sharedSecretFromKeyAgreement(with: other)
        return unsafe secret.withUnsafeBytes { unsafe [UInt8]($0) }
      } catch {
        throw KeyStoreError(error)
      }
    }
  }

  extension KeyStoreError {
    /// What an error of the Secure Enclave means to a store.
    fileprivate init(_ error: any Error) {
      self = (error as NSError).code == Int(errSecInteractionNotAllowed) ? .locked : .unavailable
    }
  }
#endif
