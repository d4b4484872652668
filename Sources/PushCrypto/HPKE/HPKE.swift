/// Hybrid public key encryption (RFC 9180) in base mode.
package enum HPKE {
  /// A message sealed in one shot.
  package struct Message: Equatable, Sendable {
    /// RFC 9180's `enc`.
    package let encapsulatedKey: [UInt8]
    /// The ciphertext and its 16-byte tag.
    package let ciphertext: [UInt8]
  }

  /// SealBase(pkR, info, aad, pt) (RFC 9180, 6.1).
  ///
  /// The ephemeral key pair is derived from 32 bytes of `random`, new for each message.
  ///
  /// - Throws: ``CryptoError/invalidPublicKey``, ``CryptoError/unavailable``.
  package static func seal(
    _ plaintext: Span<UInt8>, to pkR: Span<UInt8>, suite: HPKESuite, info: Span<UInt8>,
    aad: Span<UInt8>, random: some RandomSource
  ) throws(CryptoError) -> Message {
    var keys = try EphemeralKeys(count: 1, suite: suite, random: random)
    return try seal(plaintext, to: pkR, info: info, aad: aad, with: &keys)
  }

  /// SealBase(pkR, info, aad, pt) (RFC 9180, 6.1), with the next ephemeral key pair of `keys` and their suite.
  ///
  /// - Throws: ``CryptoError/invalidPublicKey``, ``CryptoError/unavailable``.
  package static func seal(
    _ plaintext: Span<UInt8>, to pkR: Span<UInt8>, info: Span<UInt8>, aad: Span<UInt8>,
    with keys: inout EphemeralKeys
  ) throws(CryptoError) -> Message {
    var sender = try setupSender(to: pkR, info: info, with: &keys)
    let ciphertext = try sender.context.seal(plaintext, authenticating: aad)
    return Message(encapsulatedKey: sender.encapsulatedKey, ciphertext: ciphertext)
  }

  /// OpenBase(enc, skR, info, aad, ct) (RFC 9180, 6.1).
  ///
  /// `pkR` must be the private key's own.
  ///
  /// - Throws: ``CryptoError/invalidPublicKey`` for a bad encapsulated key, ``CryptoError/notAuthentic``,
  ///   ``CryptoError/unavailable``, and whatever skR throws.
  package static func open(
    _ ciphertext: Span<UInt8>, encapsulatedKey enc: Span<UInt8>, skR: some KeyAgreement, pkR: Span<UInt8>,
    suite: HPKESuite, info: Span<UInt8>, aad: Span<UInt8>
  ) throws(CryptoError) -> Secret {
    var context = try setupRecipient(enc, skR: skR, pkR: pkR, suite: suite, info: info)
    return try context.open(ciphertext, authenticating: aad)
  }

  /// OpenBase(enc, skR, info, aad, ct) (RFC 9180, 6.1), with a copy of a serialized private key.
  ///
  /// - Throws: ``CryptoError/invalidPublicKey`` for a bad encapsulated key, ``CryptoError/notAuthentic``,
  ///   ``CryptoError/unavailable``, ``CryptoError/invalidPrivateKey``.
  package static func open(
    _ ciphertext: Span<UInt8>, encapsulatedKey enc: Span<UInt8>, skR: Span<UInt8>, pkR: Span<UInt8>,
    suite: HPKESuite, info: Span<UInt8>, aad: Span<UInt8>
  ) throws(CryptoError) -> Secret {
    let key = SoftwareKey(suite.kem, SharedSecret(Secret(copying: skR)))
    return try open(
      ciphertext, encapsulatedKey: enc, skR: key, pkR: pkR, suite: suite, info: info, aad: aad)
  }

  /// SetupBaseS(pkR, info) (RFC 9180, 5.1.1), with the ephemeral key pair DeriveKeyPair(ikmE).
  ///
  /// - Throws: ``CryptoError/invalidPublicKey``.
  package static func setupSender(
    to pkR: Span<UInt8>, suite: HPKESuite, info: Span<UInt8>, ikmE: Span<UInt8>
  ) throws(CryptoError) -> Sender {
    var keys = try EphemeralKeys(suite, ikm: ikmE)
    return try setupSender(to: pkR, info: info, with: &keys)
  }

  /// SetupBaseS(pkR, info) (RFC 9180, 5.1.1), with the next ephemeral key pair of `keys` and their suite.
  private static func setupSender(
    to pkR: Span<UInt8>, info: Span<UInt8>, with keys: inout EphemeralKeys
  ) throws(CryptoError) -> Sender {
    // shared_secret, enc = Encap(pkR)
    let encapsulation = try keys.encapsulate(to: pkR)
    // return enc, KeyScheduleS(mode_base, shared_secret, info, default_psk, default_psk_id)
    return Sender(
      encapsulatedKey: encapsulation.encapsulatedKey,
      context: HPKEContext(
        keys.suite, sharedSecret: encapsulation.sharedSecret.exposedBytes, info: info, keys.hmac))
  }

  /// SetupBaseR(enc, skR, info) (RFC 9180, 5.1.1).
  ///
  /// - Throws: ``CryptoError/invalidPublicKey`` for a bad encapsulated key, and whatever skR throws.
  package static func setupRecipient(
    _ enc: Span<UInt8>, skR: some KeyAgreement, pkR: Span<UInt8>, suite: HPKESuite, info: Span<UInt8>
  ) throws(CryptoError) -> HPKEContext {
    let hmac = HMACSHA256()
    // shared_secret = Decap(enc, skR)
    let sharedSecret = try suite.kem.decapsulate(enc, skR: skR, pkR: pkR, hmac)
    // return KeyScheduleR(mode_base, shared_secret, info, default_psk, default_psk_id)
    return HPKEContext(suite, sharedSecret: sharedSecret.exposedBytes, info: info, hmac)
  }

  /// SetupBaseR(enc, skR, info) (RFC 9180, 5.1.1), with a copy of a serialized private key.
  ///
  /// - Throws: ``CryptoError/invalidPublicKey`` for a bad encapsulated key, ``CryptoError/invalidPrivateKey``.
  package static func setupRecipient(
    _ enc: Span<UInt8>, skR: Span<UInt8>, pkR: Span<UInt8>, suite: HPKESuite, info: Span<UInt8>
  ) throws(CryptoError) -> HPKEContext {
    let key = SoftwareKey(suite.kem, SharedSecret(Secret(copying: skR)))
    return try setupRecipient(enc, skR: key, pkR: pkR, suite: suite, info: info)
  }

  /// What a sender has after the setup.
  package struct Sender: ~Copyable {
    /// RFC 9180's `enc`.
    package let encapsulatedKey: [UInt8]
    /// The context to seal with.
    package var context: HPKEContext
  }
}
