internal import PushCrypto
internal import PushEnvelope

/// The members of one JWK as they stand in a file, none compared with another yet.
struct KeyMembers {
  /// The members that are strings.
  var texts: [KeyMember: String] = [:]

  /// The members that are moments.
  var times: [KeyMember: UnixTime] = [:]

  /// `d` and `k`.
  var secrets: [KeyMember: StoredSecret] = [:]

  /// The key of a private set.
  ///
  /// - Throws: ``KeySetError``, naming `index`.
  func key(at index: Int) throws(KeySetError) -> StoredKey {
    let check = MemberCheck(index: index, isPrivate: true)
    let algorithm = try check.algorithm(texts)
    guard let secret = secrets[algorithm.jwk.secretMember] else { throw .missingPrivateKey(index: index) }
    if let other = secrets.keys.first(where: { $0 != algorithm.jwk.secretMember }) {
      throw check.invalid(other)
    }
    guard let pair = algorithm.pair else {
      return StoredKey(record: try sharedRecord(secret, check), secret: secret)
    }
    let publicKey = try check.publicKey(algorithm, pair, texts)
    let record = KeyRecord(publicKey: publicKey, life: try life(publicKey.thumbprint, check))
    try publicKey.check(isPublicKeyOf: secret, check)
    return StoredKey(record: record, secret: secret)
  }

  /// The pair of a private key by itself, of whose other members none need be there.
  ///
  /// - Throws: ``KeySetError``, naming index 0.
  func keyPair() throws(KeySetError) -> (PublicKey, StoredSecret) {
    let check = MemberCheck(index: 0, isPrivate: false)
    let algorithm = try check.algorithm(texts)
    guard let pair = algorithm.pair else { throw check.invalid(.type) }
    guard let secret = secrets[.privateKey] else { throw .missingPrivateKey(index: 0) }
    let publicKey = try check.publicKey(algorithm, pair, texts)
    try publicKey.check(isPublicKeyOf: secret, check)
    return (publicKey, secret)
  }

  /// What the members of a public set say of a key, which need not be much.
  ///
  /// - Throws: ``KeySetError``, naming `index`.
  func record(at index: Int) throws(KeySetError) -> KeyRecord {
    let check = MemberCheck(index: index, isPrivate: false)
    let algorithm = try check.algorithm(texts)
    guard let pair = algorithm.pair else { throw check.invalid(.type) }
    let publicKey = try check.publicKey(algorithm, pair, texts)
    return KeyRecord(publicKey: publicKey, life: try life(publicKey.thumbprint, check))
  }

  private func sharedRecord(_ secret: StoredSecret, _ check: MemberCheck) throws(KeySetError) -> KeyRecord {
    for member in [KeyMember.x, .y] where texts[member] != nil { throw check.invalid(member) }
    guard secret.withExposedBytes({ (try? SharedKey.validate($0)) != nil }) else {
      throw check.invalid(.sharedKey)
    }
    let id = secret.withExposedBytes { Thumbprint(sharedKey: $0) }
    return KeyRecord(sharedKey: id, life: try life(id, check))
  }

  /// The life of the key with that thumbprint, which `kid` must be.
  private func life(_ id: Thumbprint, _ check: MemberCheck) throws(KeySetError) -> KeyLife {
    guard try check.isSameIfThere(texts[.id], .id, id.text) else { throw .keyMismatch(index: check.index) }
    return KeyLife(
      issuedAt: try check.requiredIfPrivate(times[.issuedAt], .issuedAt) ?? UnixTime(clamping: 0),
      notBefore: times[.notBefore], expiresAt: times[.expiresAt], status: try check.status(texts))
  }
}

extension PublicKey {
  /// Checks that this is the public key of `secret`, in constant time.
  fileprivate func check(isPublicKeyOf secret: StoredSecret, _ check: MemberCheck) throws(KeySetError) {
    let point = bytes
    let isSame = secret.withExposedBytes { secret in
      (try? algorithm.publicKey(of: secret)).map { ConstantTime.equal($0.span, point.span) }
    }
    guard let isSame else { throw check.invalid(.privateKey) }
    guard isSame else { throw .keyMismatch(index: check.index) }
  }
}
