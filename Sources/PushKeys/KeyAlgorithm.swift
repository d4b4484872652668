package import PushCrypto
public import PushEnvelope

/// What a key is for: one suite and one purpose, for life.
///
/// The raw value is the JWK's `alg`.
public enum KeyAlgorithm: String, Sendable, CaseIterable {
  /// A device's X25519 key, for the suite `x25519-chachapoly`.
  case x25519 = "HPKE-4"

  /// A device's P-256 key, for the suite `p256-aesgcm`.
  case p256 = "HPKE-7"

  /// A sender's Ed25519 key.
  case ed25519 = "EdDSA"

  /// A key that both sides know, for the suite `shared-chachapoly`.
  case shared = "shared-chachapoly"

  /// What makes an algorithm.
  private struct Definition {
    let jwk: JWKForm
    let role: KeyRole
    let pair: (any KeyKind)?
    let suite: Suite?
    let hpke: HPKESuite?

    /// A device's key pair, for a suite of HPKE.
    init(_ suite: Suite, _ hpke: HPKESuite, _ jwk: JWKForm) {
      (self.jwk, role, pair, self.suite, self.hpke) = (jwk, .device, hpke.kem, suite, hpke)
    }

    /// A key pair that signs.
    init(signing pair: any KeyKind, _ jwk: JWKForm) {
      (self.jwk, role, self.pair, suite, hpke) = (jwk, .sender, pair, nil, nil)
    }

    /// A shared key.
    init(shared suite: Suite) { (jwk, role, pair, self.suite, hpke) = (.oct, .shared, nil, suite, nil) }
  }

  /// A line for each algorithm.
  private var definition: Definition {
    switch self {
    case .x25519: Definition(.x25519ChaChaPoly, .x25519ChaChaPoly, .okp(curve: "X25519"))
    case .p256: Definition(.p256AESGCM, .p256AESGCM, .ec(curve: "P-256"))
    case .ed25519: Definition(signing: Ed25519Keys(), .okp(curve: "Ed25519"))
    case .shared: Definition(shared: .sharedChaChaPoly)
    }
  }

  /// The algorithm of a suite's keys.
  public init(suite: Suite) {
    guard let algorithm = Self.allCases.first(where: { $0.suite == suite }) else {
      preconditionFailure("every suite has keys")
    }
    self = algorithm
  }

  /// The suite that a device's key or a shared one opens; nil for a sender's.
  public var suite: Suite? { definition.suite }

  /// HPKE's algorithms, for a device's key.
  package var hpkeSuite: HPKESuite? { definition.hpke }

  /// The kind of key pair; nil for a shared key, which has no public half.
  package var pair: (any KeyKind)? { definition.pair }

  /// How a JWK has it.
  var jwk: JWKForm { definition.jwk }

  /// Whose keys have this algorithm in a set that does not say.
  package var role: KeyRole { definition.role }

  /// The length of a private or shared key and of the random bytes that one is made of, in bytes.
  var secretSize: Int { pair?.privateKeySize ?? SharedKey.size }

  /// The length of the longest private or shared key, in bytes.
  static let maximumSecretSize = allCases.map(\.secretSize).max() ?? 0
}

extension KeyAlgorithm {
  /// Checks a serialized public key.
  ///
  /// - Throws: ``CryptoError/invalidPublicKey``, also for a shared key, which has no public half.
  func validate(publicKey: Span<UInt8>) throws(CryptoError) {
    guard let pair else { throw .invalidPublicKey }
    try pair.validate(publicKey: publicKey)
  }

  /// The serialized public key of a private one.
  ///
  /// - Throws: ``CryptoError/invalidPrivateKey`` for a wrong length, zero, or a scalar that P-256 does not have, and
  ///   for a shared key.
  func publicKey(of secret: Span<UInt8>) throws(CryptoError) -> [UInt8] {
    guard let pair, !ConstantTime.isZero(secret) else { throw .invalidPrivateKey }
    return try pair.publicKey(of: secret)
  }
}

extension HPKESuite {
  /// HPKE's algorithms of an envelope's suite; nil for the shared keys', which is not HPKE.
  package init?(_ suite: Suite) {
    guard let hpke = KeyAlgorithm(suite: suite).hpkeSuite else { return nil }
    self = hpke
  }
}

/// Whose keys a set holds: a set serves one purpose.
public enum KeyRole: String, Sendable {
  /// Keys that open messages; a JWK's `use` is `enc`.
  case device

  /// Keys that sign messages; a JWK's `use` is `sig`.
  case sender

  /// Keys that both sides know, which seal and open messages; a JWK's `use` is `enc`.
  ///
  /// Such a set has no public half: the file itself goes to the other side, in secret.
  case shared

  /// A device's key that signs its public keys, by which a backend knows it again; a JWK's `use` is `sig`.
  ///
  /// It is made at the first launch, and never replaced.
  case identity

  /// A sender's key that signs its public keys, kept offline and built into the app; a JWK's `use` is `sig`.
  case root

  /// The member `role` of a set whose keys do not tell whose they are; null of one whose keys do.
  var name: String? {
    switch self {
    case .device, .sender, .shared: nil
    case .identity, .root: rawValue
    }
  }

  /// Whether such a set may have keys of an algorithm.
  func has(_ algorithm: KeyAlgorithm) -> Bool { name == nil ? algorithm.role == self : algorithm == .ed25519 }

  /// A JWK's `use`.
  var use: String {
    switch self {
    case .device, .shared: "enc"
    case .sender, .identity, .root: "sig"
    }
  }
}
