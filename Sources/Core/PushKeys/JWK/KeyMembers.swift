internal import PushCrypto
internal import PushCore

/// The JWK members that are read (RFC 7517, 4; RFC 7518, 6.2 and 6.4; RFC 8037, 2; RFC 9964, 3; RFC 7519, 4.1).
package enum KeyMember: String {
  case type = "kty"
  case curve = "crv"
  case x, y
  case publicKey = "pub"
  case privateKey = "d"
  case seed = "priv"
  case sharedKey = "k"
  case handle
  case id = "kid"
  case use
  case algorithm = "alg"
  case issuedAt = "iat"
  case notBefore = "nbf"
  case expiresAt = "exp"
  case status

  /// Whether it holds a private or symmetric key.
  var isPrivate: Bool {
    switch self {
    case .privateKey, .seed, .sharedKey, .handle: true
    case .type, .curve, .x, .y, .publicKey, .id, .use, .algorithm, .issuedAt, .notBefore, .expiresAt, .status:
      false
    }
  }

  /// The members that hold other kinds of private keys (RFC 7518, 6.3.2).
  static let otherPrivateNames: Set<String> = ["p", "q", "dp", "dq", "qi", "oth"]
}

/// Values of a key's members, searched one by one: there are so few that hashing would be slower.
struct MemberValues<Value> {
  private var values: [(member: KeyMember, value: Value)] = []

  /// The members that have a value.
  var members: some Sequence<KeyMember> { values.lazy.map(\.member) }

  /// A member's value; nil if it has none.
  subscript(member: KeyMember) -> Value? {
    get { values.first { $0.member == member }?.value }
    set {
      if values.isEmpty { values.reserveCapacity(8) }
      if let index = values.firstIndex(where: { $0.member == member }) { values.remove(at: index) }
      if let newValue { values.append((member, newValue)) }
    }
  }
}

/// The members of one JWK as parsed, before they are checked against each other.
struct KeyMembers {
  /// The members that are strings.
  var texts = MemberValues<String>()

  /// The members that are times.
  var times = MemberValues<UnixTime>()

  /// `d`, `k` and `priv`.
  var secrets = MemberValues<StoredSecret>()

  /// The key that `handle` names in its hardware.
  var hardware: HardwareKey?

  /// Checks the members as a key of a private set.
  ///
  /// - Throws: ``KeySetError``, naming `index`.
  func key(at index: Int) throws(KeySetError) -> StoredKey {
    let check = MemberCheck(index: index, isPrivate: true)
    let algorithm = try check.algorithm(in: texts)
    if let hardware { return try key(in: hardware, algorithm: algorithm, check: check) }
    guard let secret = secrets[algorithm.jwk.secretMember] else { throw .missingPrivateKey(index: index) }
    if let other = secrets.members.first(where: { $0 != algorithm.jwk.secretMember }) {
      throw check.invalid(other)
    }
    guard let pair = algorithm.pair else {
      return StoredKey(record: try sharedRecord(of: secret, check: check), material: .secret(secret))
    }
    let publicKey = try check.publicKey(of: algorithm, pair: pair, in: texts)
    // Another public key has another `kid`, too: its parts are what is wrong.
    try publicKey.check(isPublicKeyOf: secret, check: check)
    let record = KeyRecord(publicKey: publicKey, life: try life(of: publicKey.thumbprint, check: check))
    return StoredKey(record: record, material: .secret(secret))
  }

  /// Checks the members of a key that is in hardware, which is for P-256 and has no private member.
  private func key(
    in hardware: HardwareKey, algorithm: KeyAlgorithm, check: MemberCheck
  ) throws(KeySetError) -> StoredKey {
    guard algorithm == .p256, let pair = algorithm.pair else { throw check.invalid(.handle) }
    for member in secrets.members { throw check.invalid(member) }
    let publicKey = try check.publicKey(of: algorithm, pair: pair, in: texts)
    let record = KeyRecord(publicKey: publicKey, life: try life(of: publicKey.thumbprint, check: check))
    return StoredKey(record: record, material: .hardware(hardware))
  }

  /// Checks the members as a single private key, whose other members are optional.
  ///
  /// - Throws: ``KeySetError``, naming index 0.
  func keyPair() throws(KeySetError) -> (PublicKey, StoredSecret) {
    let check = MemberCheck(index: 0, isPrivate: false)
    let algorithm = try check.algorithm(in: texts)
    guard let pair = algorithm.pair else { throw check.invalid(.type) }
    guard let secret = secrets[algorithm.jwk.secretMember] else { throw .missingPrivateKey(index: 0) }
    let publicKey = try check.publicKey(of: algorithm, pair: pair, in: texts)
    if let suite = algorithm.suite, !suite.isAvailable { throw .unavailable(suite) }
    try publicKey.check(isPublicKeyOf: secret, check: check)
    return (publicKey, secret)
  }

  /// Checks the members as a key of a public set, where most are optional.
  ///
  /// - Throws: ``KeySetError``, naming `index`.
  func record(at index: Int) throws(KeySetError) -> KeyRecord {
    let check = MemberCheck(index: index, isPrivate: false)
    let algorithm = try check.algorithm(in: texts)
    guard let pair = algorithm.pair else { throw check.invalid(.type) }
    let publicKey = try check.publicKey(of: algorithm, pair: pair, in: texts)
    return KeyRecord(publicKey: publicKey, life: try life(of: publicKey.thumbprint, check: check))
  }

  private func sharedRecord(of secret: StoredSecret, check: MemberCheck) throws(KeySetError) -> KeyRecord {
    try check.refuse([.x, .y, .publicKey], in: texts)
    guard secret.withExposedBytes({ (try? SharedKey.validate($0)) != nil }) else {
      throw check.invalid(.sharedKey)
    }
    let id = secret.withExposedBytes { Thumbprint(sharedKey: $0) }
    return KeyRecord(sharedKey: id, life: try life(of: id, check: check))
  }

  /// The life of the key with this thumbprint, which must equal `kid`.
  private func life(of id: Thumbprint, check: MemberCheck) throws(KeySetError) -> KeyLife {
    guard try check.isSameIfThere(texts[.id], member: .id, expected: id.text) else {
      throw .wrongKeyID(index: check.index, thumbprint: id)
    }
    return KeyLife(
      issuedAt: try check.requiredIfPrivate(times[.issuedAt], member: .issuedAt) ?? UnixTime(clamping: 0),
      notBefore: times[.notBefore], expiresAt: times[.expiresAt], status: try check.status(in: texts))
  }
}

extension PublicKey {
  /// Checks in constant time that this is the public key of `secret`.
  ///
  /// If this system's libraries lack the algorithm, the check is skipped, so that the set's other keys can be used.
  fileprivate func check(isPublicKeyOf secret: StoredSecret, check: MemberCheck) throws(KeySetError) {
    let size = algorithm.secretSize
    guard secret.withExposedBytes({ $0.count == size && !ConstantTime.isZero($0) }) else {
      throw check.invalid(algorithm.jwk.secretMember)
    }
    guard algorithm.isAvailable else { return }
    switch secret.withExposedBytes({ isHalf(of: $0) }) {
    // Even an available algorithm may fail, because the library's configuration can disable it.
    case .success(true), .failure(.unavailable): return
    case .success(false): throw .keyMismatch(index: check.index)
    case .failure: throw check.invalid(algorithm.jwk.secretMember)
    }
  }

  /// Whether this is the public key of `secret`.
  private func isHalf(of secret: Span<UInt8>) -> Result<Bool, CryptoError> {
    do throws(CryptoError) {
      let own = try algorithm.publicKey(of: secret)
      let bytes = bytes
      return .success(ConstantTime.equal(own.span, bytes.span))
    } catch {
      return .failure(error)
    }
  }
}

/// Checks the members of one JWK, and names the invalid one.
struct MemberCheck {
  /// The key's index in the set.
  fileprivate let index: Int

  /// Whether every member is required, as in a private set.
  fileprivate let isPrivate: Bool

  /// The only algorithm that fits `kty`, `crv`, `alg` and `use`.
  fileprivate func algorithm(in texts: MemberValues<String>) throws(KeySetError) -> KeyAlgorithm {
    let (type, curve) = (texts[.type], texts[.curve])
    // A shared key has no public half, so it cannot be in a public set.
    let algorithms = KeyAlgorithm.allCases.lazy.filter {
      isSame(type, as: $0.jwk.type) && (isPrivate || $0 != .shared)
    }
    guard let algorithm = algorithms.first(where: { $0.jwk.curve == curve }) else {
      throw invalid(algorithms.isEmpty ? .type : .curve)
    }
    if algorithm.jwk.needsAlgorithm, texts[.algorithm] == nil { throw invalid(.algorithm) }
    guard try isSameIfThere(texts[.algorithm], member: .algorithm, expected: algorithm.rawValue) else {
      throw invalid(.algorithm)
    }
    guard try isSameIfThere(texts[.use], member: .use, expected: algorithm.role.use) else {
      throw invalid(.use)
    }
    return algorithm
  }

  /// The public key in the string members.
  fileprivate func publicKey(
    of algorithm: KeyAlgorithm, pair: any KeyKind, in texts: MemberValues<String>
  ) throws(KeySetError) -> PublicKey {
    let bytes = try algorithm.jwk.publicKey(in: texts, size: pair.publicKeySize, check: self)
    guard let publicKey = try? PublicKey(algorithm: algorithm, bytes: bytes) else {
      throw invalid(algorithm.jwk.publicMember)
    }
    return publicKey
  }

  /// The key's status; active if a public key has none.
  fileprivate func status(in texts: MemberValues<String>) throws(KeySetError) -> KeyStatus {
    guard let text = try requiredIfPrivate(texts[.status], member: .status) else { return .active }
    guard let status = KeyStatus(rawValue: text), isPrivate || status != .next else { throw invalid(.status) }
    return status
  }

  /// Returns a member that only a public set may omit.
  fileprivate func requiredIfPrivate<Value>(_ value: Value?, member: KeyMember) throws(KeySetError)
    -> Value?
  {
    guard value != nil || !isPrivate else { throw invalid(member) }
    return value
  }

  /// Whether a member equals `expected`, or is absent from a public set.
  fileprivate func isSameIfThere(
    _ text: String?, member: KeyMember, expected: String
  ) throws(KeySetError) -> Bool {
    guard let text = try requiredIfPrivate(text, member: member) else { return true }
    return isSame(text, as: expected)
  }

  /// Whether both have the same UTF-8 bytes, for an ASCII `expected`.
  ///
  /// To `String`, U+212A, KELVIN SIGN, equals "K"; but every such equivalent of ASCII has more bytes.
  private func isSame(_ text: String?, as expected: String) -> Bool {
    text.map { $0 == expected && $0.utf8.count == expected.utf8.count } ?? false
  }

  /// Decodes a base64url member of exactly `count` bytes.
  func bytes(
    of member: KeyMember, in texts: MemberValues<String>, count: Int
  ) throws(KeySetError) -> [UInt8] {
    guard let text = texts[member], let bytes = try? Base64URL.decode(text), bytes.count == count else {
      throw invalid(member)
    }
    return bytes
  }

  /// Refuses members of other kinds of keys.
  func refuse(_ members: [KeyMember], in texts: MemberValues<String>) throws(KeySetError) {
    for member in members where texts[member] != nil { throw invalid(member) }
  }

  func invalid(_ member: KeyMember) -> KeySetError {
    .invalidMember(index: index, member: member.rawValue)
  }
}
