/// A P-256 private key that is used where it is kept, such as in the Secure Enclave, and never read.
public protocol P256KeyAgreement: Sendable {
  /// The shared secret of ECDH (NIST SP 800-56A) with a public key: the x coordinate of the product, 32 bytes.
  ///
  /// `publicKey` has 65 bytes, 0x04 and both coordinates (ANSI X9.63), and was checked to be on the curve. A secret
  /// of another length opens nothing. Keep no other reference to the array, or it cannot be wiped. This is called on
  /// the receiver's work thread and may block.
  ///
  /// - Throws: ``KeyStoreError`` if the key cannot be used.
  func sharedSecret(withX963 publicKey: [UInt8]) throws(KeyStoreError) -> [UInt8]
}
