internal import PushCrypto
internal import PushEnvelope

/// Judges the members of one JWK, and names the one at fault.
struct MemberCheck {
  /// The key's place in the set.
  let index: Int

  /// Whether nothing may be left out.
  let isPrivate: Bool

  /// The one algorithm that `kty`, `crv`, `alg` and `use` agree on.
  func algorithm(_ texts: [KeyMember: String]) throws(KeySetError) -> KeyAlgorithm {
    // A shared key has no public half, and so no place in a public set.
    let algorithms = KeyAlgorithm.allCases.filter {
      isSame(texts[.type], $0.jwk.type) && (isPrivate || $0 != .shared)
    }
    guard !algorithms.isEmpty else { throw invalid(.type) }
    guard let algorithm = algorithms.first(where: { $0.jwk.curve == texts[.curve] }) else {
      throw invalid(.curve)
    }
    guard try isSameIfThere(texts[.algorithm], .algorithm, algorithm.rawValue) else {
      throw invalid(.algorithm)
    }
    guard try isSameIfThere(texts[.use], .use, algorithm.role.use) else { throw invalid(.use) }
    return algorithm
  }

  /// The public key of the members that are texts.
  func publicKey(
    _ algorithm: KeyAlgorithm, _ pair: any KeyKind, _ texts: [KeyMember: String]
  ) throws(KeySetError) -> PublicKey {
    let bytes = try algorithm.jwk.publicKey(of: texts, size: pair.publicKeySize, self)
    guard let publicKey = try? PublicKey(algorithm, bytes: bytes) else { throw invalid(.x) }
    return publicKey
  }

  /// What the key may do; active, if a public key does not say.
  func status(_ texts: [KeyMember: String]) throws(KeySetError) -> KeyStatus {
    guard let text = try requiredIfPrivate(texts[.status], .status) else { return .active }
    guard let status = KeyStatus(rawValue: text), isPrivate || status != .next else { throw invalid(.status) }
    return status
  }

  /// A member that only a public set may leave out.
  func requiredIfPrivate<Value>(_ value: Value?, _ member: KeyMember) throws(KeySetError) -> Value? {
    guard value != nil || !isPrivate else { throw invalid(member) }
    return value
  }

  /// Whether a member that only a public set may leave out is absent, or is `expected`.
  func isSameIfThere(
    _ text: String?, _ member: KeyMember, _ expected: String
  ) throws(KeySetError) -> Bool {
    guard let text = try requiredIfPrivate(text, member) else { return true }
    return isSame(text, expected)
  }

  /// Whether both are the same bytes: to `String` U+212A, KELVIN SIGN, is a "K".
  private func isSame(_ text: String?, _ expected: String) -> Bool {
    text.map { $0.utf8.elementsEqual(expected.utf8) } ?? false
  }

  /// A member with so many bytes in base64url.
  func bytes(
    _ member: KeyMember, _ texts: [KeyMember: String], count: Int
  ) throws(KeySetError) -> [UInt8] {
    guard let text = texts[member], let bytes = try? Base64URL.decode(text), bytes.count == count else {
      throw invalid(member)
    }
    return bytes
  }

  func invalid(_ member: KeyMember) -> KeySetError {
    .invalidMember(index: index, member: member.rawValue)
  }
}
