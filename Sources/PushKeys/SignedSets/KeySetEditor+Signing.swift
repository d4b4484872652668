public import PushEnvelope

extension KeySetEditor {
  /// Signs a sender's public keys with a root, for an app, under the serial that is given, or the greater of the last
  /// one plus 1 and the Unix time.
  ///
  /// - Throws: ``KeySetError/wrongRole`` unless the set is a root's and `keys` a sender's, without the root's own,
  ///   ``KeySetError/serialNotGreater``, ``KeySetError/tooManyKeys`` if the text were longer than 64 KiB.
  public mutating func signSenders(
    _ keys: PublicKeySet, for topic: Topic, serial: Int64? = nil, at now: UnixTime
  ) throws(KeySetError) -> SenderKeySet {
    guard keys.role == .sender else { throw .wrongRole }
    var changed = self
    // What names the keys that sign is none of them.
    guard keySet.records.allSatisfy({ keys.record(of: $0.id) == nil }) else { throw .wrongRole }
    let (serial, root) = try changed.spendSerial(serial, as: .root, at: now)
    let claims = SignedSetClaims(topic: topic, serial: serial, issuedAt: now, keys: keys)
    let header = SignedSetHeader.make(.root, root.publicKey)
    let text = Array(CompactJWS.sign(claims.encoded, header: header, with: root).utf8)
    guard text.count <= CompactJWS.maximumSize else { throw .tooManyKeys }
    self = changed
    return SenderKeySet(claims, signer: root.publicKey.thumbprint, text: text.span)
  }

  /// Signs a device's public keys with its identity, for where the device is found and what the backend asked, if it
  /// did.
  ///
  /// The serial is the greater of the last one plus 1 and the Unix time.
  ///
  /// - Throws: ``KeySetError/wrongRole`` unless the set is an identity's and `keys` a device's,
  ///   ``KeySetError/serialNotGreater``, ``KeySetError/tooManyKeys``.
  public mutating func enrol(
    _ keys: PublicKeySet, at address: DeviceAddress, challenge: Challenge? = nil, now: UnixTime
  ) throws(KeySetError) -> Enrolment {
    guard keys.role == .device else { throw .wrongRole }
    var changed = self
    let (serial, identity) = try changed.spendSerial(nil, as: .identity, at: now)
    let claims = SignedSetClaims(
      topic: address.topic, serial: serial, issuedAt: now,
      device: SignedSetClaims.Device(
        environment: address.environment, token: address.token, challenge: challenge),
      keys: keys)
    let header = SignedSetHeader.make(.identity, identity.publicKey)
    let text = CompactJWS.sign(claims.encoded, header: header, with: identity)
    let enrolment = Enrolment(claims, at: address, identity: identity.publicKey, signedKeys: text)
    guard enrolment.encoded().count <= Enrolment.maximumSize else { throw .tooManyKeys }
    self = changed
    return enrolment
  }
}
