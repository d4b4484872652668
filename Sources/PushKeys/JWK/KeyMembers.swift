internal import PushCrypto
internal import PushEnvelope

/// The members of one JWK as they stand in a file, none compared with another yet.
struct KeyMembers {
  /// The members that are strings.
  var texts: [KeyMember: String] = [:]

  /// The members that are moments.
  var times: [KeyMember: UnixTime] = [:]

  /// `d`.
  var privateKey: StoredSecret?

  /// The key pair of a private set.
  ///
  /// - Throws: ``KeySetError``, naming `index`.
  func key(at index: Int) throws(KeySetError) -> StoredKey {
    guard let privateKey else { throw .missingPrivateKey(index: index) }
    let record = try record(at: index, isPrivate: true)
    switch privateKey.withExposedBytes({ record.publicKey.isPublicKey(of: $0) }) {
    case nil: throw .invalidMember(index: index, member: KeyMember.privateKey.rawValue)
    case false?: throw .keyMismatch(index: index)
    case true?: return StoredKey(record: record, secret: privateKey)
    }
  }

  /// What the members say of the public key: in a private set all, in a public one perhaps less.
  ///
  /// - Throws: ``KeySetError``, naming `index`.
  func record(at index: Int, isPrivate: Bool) throws(KeySetError) -> KeyRecord {
    let check = MemberCheck(index: index, isPrivate: isPrivate)
    let algorithm = try check.algorithm(texts)
    let publicKey = try check.publicKey(algorithm, texts)
    guard
      try check.requiredIfPrivate(texts[.id], .id) ?? publicKey.thumbprint.text == publicKey.thumbprint.text
    else {
      throw .keyMismatch(index: index)
    }
    let life = KeyLife(
      issuedAt: try check.requiredIfPrivate(times[.issuedAt], .issuedAt) ?? UnixTime(clamping: 0),
      notBefore: times[.notBefore], expiresAt: times[.expiresAt], status: try check.status(texts))
    return KeyRecord(publicKey: publicKey, life: life)
  }
}

extension PublicKey {
  /// Whether this is the public key of `secret`, in constant time; null if `secret` is no private key.
  fileprivate func isPublicKey(of secret: Span<UInt8>) -> Bool? {
    guard let computed = try? algorithm.publicKey(of: secret) else { return nil }
    let bytes = bytes
    return ConstantTime.equal(computed.span, bytes.span)
  }
}
