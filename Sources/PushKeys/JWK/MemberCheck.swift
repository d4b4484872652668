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
      isSame(texts[.type], $0.keyType) && (isPrivate || $0 != .shared)
    }
    guard !algorithms.isEmpty else { throw invalid(.type) }
    guard let algorithm = algorithms.first(where: { $0.curve?.rawValue == texts[.curve] }) else {
      throw invalid(.curve)
    }
    guard try isSameIfThere(texts[.algorithm], .algorithm, algorithm.rawValue) else {
      throw invalid(.algorithm)
    }
    guard try isSameIfThere(texts[.use], .use, algorithm.role.use) else { throw invalid(.use) }
    return algorithm
  }

  /// The public key of `x` and, where the curve has one, `y`.
  func publicKey(_ curve: Curve, _ texts: [KeyMember: String]) throws(KeySetError) -> PublicKey {
    var bytes = try coordinate(.x, texts)
    if curve == .p256 {
      // SEC 1, 2.3.3: an uncompressed point is 04, x, y.
      bytes = [0x04] + bytes + (try coordinate(.y, texts))
    } else if texts[.y] != nil {
      throw invalid(.y)
    }
    guard let publicKey = try? PublicKey(on: curve, bytes: bytes) else { throw invalid(.x) }
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

  /// 32 bytes.
  private func coordinate(_ member: KeyMember, _ texts: [KeyMember: String]) throws(KeySetError) -> [UInt8] {
    guard let text = texts[member], let bytes = try? Base64URL.decode(text), bytes.count == 32 else {
      throw invalid(member)
    }
    return bytes
  }

  func invalid(_ member: KeyMember) -> KeySetError {
    .invalidMember(index: index, member: member.rawValue)
  }
}
