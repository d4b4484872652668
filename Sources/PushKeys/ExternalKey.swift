package import PushCrypto

/// A P-256 private key that is kept elsewhere.
package struct ExternalKey: KeyAgreement {
  private let agreement: any P256KeyAgreement

  /// Takes whoever has the key.
  package init(_ agreement: some P256KeyAgreement) { self.agreement = agreement }

  /// DH(skR, pkE), copied from the array that it came in, which is wiped.
  ///
  /// - Throws: ``CryptoError/keyLocked``, ``CryptoError/keyUnavailable``, ``CryptoError/notAuthentic`` for a secret
  ///   that is not 32 bytes long.
  package func sharedSecret(with pkE: Span<UInt8>) throws(CryptoError) -> Secret {
    var dh: [UInt8]
    do throws(KeyStoreError) {
      dh = try agreement.sharedSecret(withX963: [UInt8](copying: pkE))
    } catch {
      throw CryptoError(error)
    }
    defer { dh.wipe() }
    guard dh.count == P256.privateKeySize else { throw .notAuthentic }
    return Secret(copying: dh.span)
  }
}

extension CryptoError {
  fileprivate init(_ error: KeyStoreError) {
    switch error {
    case .locked: self = .keyLocked
    case .unavailable: self = .keyUnavailable
    }
  }
}
