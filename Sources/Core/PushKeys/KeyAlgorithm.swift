package import PushCrypto
public import PushCore

/// A key's algorithm, which fixes its suite and its purpose for the key's lifetime.
///
/// The raw value is the JWK's `alg`.
public enum KeyAlgorithm: String, Sendable, CaseIterable {
  /// A device's X25519 key, for the suite `x25519-chachapoly`.
  case x25519 = "HPKE-4"

  /// A device's P-256 key, for the suite `p256-aesgcm`.
  case p256 = "HPKE-7"

  /// A device's X-Wing key, for the suite `xwing-aesgcm`.
  case xwing = "xwing-aesgcm"

  /// A sender's Ed25519 key.
  case ed25519 = "EdDSA"

  /// A secret key that both sides share, for the suite `shared-chachapoly`.
  case shared = "shared-chachapoly"

  /// The properties of an algorithm.
  ///
  /// The HPKE suite and the signing keys are made on demand; the other properties are read for every key.
  private struct Definition {
    let jwk: JWKForm
    let role: KeyRole
    let suite: Suite?
    let hpke: (() -> HPKESuite)?
    let signing: (() -> any KeyKind)?

    /// A device's key pair, for an HPKE suite.
    init(suite: Suite, hpke: @escaping @autoclosure () -> HPKESuite, jwk: JWKForm) {
      self.jwk = jwk
      role = .device
      self.suite = suite
      self.hpke = hpke
      signing = nil
    }

    /// A signing key pair.
    init(signing pair: @escaping @autoclosure () -> any KeyKind, jwk: JWKForm) {
      self.jwk = jwk
      role = .sender
      suite = nil
      hpke = nil
      signing = pair
    }

    /// A shared key.
    init(shared suite: Suite) {
      jwk = .oct
      role = .shared
      self.suite = suite
      hpke = nil
      signing = nil
    }
  }

  /// The properties of this algorithm.
  private var definition: Definition {
    switch self {
    case .x25519: Definition(suite: .x25519ChaChaPoly, hpke: .x25519ChaChaPoly, jwk: .okp(curve: "X25519"))
    case .p256: Definition(suite: .p256AESGCM, hpke: .p256AESGCM, jwk: .ec(curve: "P-256"))
    case .xwing: Definition(suite: .xwingAESGCM, hpke: .xwingAESGCM, jwk: .akp(algorithm: rawValue))
    case .ed25519: Definition(signing: Ed25519Keys(), jwk: .okp(curve: "Ed25519"))
    case .shared: Definition(shared: .sharedChaChaPoly)
    }
  }

  /// The algorithm of the keys for a suite.
  public init(suite: Suite) {
    guard let entry = Self.suites.first(where: { $0.suite == suite }) else {
      preconditionFailure("every suite has keys")
    }
    self = entry.algorithm
  }

  /// The suites and their keys' algorithms, computed once because every message looks up its suite.
  private static let suites = allCases.compactMap { algorithm in
    algorithm.suite.map { (suite: $0, algorithm: algorithm) }
  }

  /// The suite of a device's key or a shared key; nil for a sender's key.
  public var suite: Suite? { definition.suite }

  /// The HPKE suite, for a device's key; nil otherwise.
  package var hpkeSuite: HPKESuite? { definition.hpke?() }

  /// The kind of key pair; nil for a shared key, which has no public half.
  package var pair: (any KeyKind)? { definition.hpke?().kem ?? definition.signing?() }

  /// Whether this system's libraries have the algorithm: X-Wing needs OpenSSL 3.5, or iOS 26 or macOS 26.
  ///
  /// Keys can be read, listed, exported and signed without it.
  public var isAvailable: Bool { pair?.isAvailable ?? true }

  /// How a JWK represents the key.
  package var jwk: JWKForm { definition.jwk }

  /// The role of keys with this algorithm in a set without a `role` member.
  package var role: KeyRole { definition.role }

  /// The size of a private or shared key, and of the seed it is generated from, in bytes.
  var secretSize: Int { pair?.privateKeySize ?? SharedKey.size }

  /// The size of the largest private or shared key, in bytes.
  static let maximumSecretSize = allCases.map(\.secretSize).max() ?? 0
}

extension KeyAlgorithm {
  /// Validates a serialized public key.
  ///
  /// - Throws: `CryptoError.invalidPublicKey`, including for a shared key, which has no public half.
  func validate(publicKey: Span<UInt8>) throws(CryptoError) {
    guard let pair else { throw .invalidPublicKey }
    try pair.validate(publicKey: publicKey)
  }

  /// The serialized public key of a private key.
  ///
  /// - Throws: `CryptoError.invalidPrivateKey` for a wrong length, zero, a scalar out of range for P-256, or a
  ///   shared key; `CryptoError.unavailable` unless ``isAvailable``.
  func publicKey(of secret: Span<UInt8>) throws(CryptoError) -> [UInt8] {
    guard let pair, !ConstantTime.isZero(secret) else { throw .invalidPrivateKey }
    return try pair.publicKey(of: secret)
  }
}

extension Suite {
  /// Whether this system's libraries have the suite: `xwing-aesgcm` needs OpenSSL 3.5, or iOS 26 or macOS 26.
  public var isAvailable: Bool { Self.available.contains(self) }

  /// The suites that this system's libraries have, determined once for the process.
  public static let available = allCases.filter { KeyAlgorithm(suite: $0).isAvailable }
}

extension HPKESuite {
  /// The HPKE suite of an envelope's suite; nil for the shared-key suite, which does not use HPKE.
  package init?(_ suite: Suite) {
    guard let hpke = KeyAlgorithm(suite: suite).hpkeSuite else { return nil }
    self = hpke
  }
}

/// The role of a set's keys.
///
/// A set serves one purpose.
public enum KeyRole: String, Sendable {
  /// Keys that open messages; a JWK's `use` is `enc`.
  case device

  /// Keys that sign messages; a JWK's `use` is `sig`.
  case sender

  /// Secret keys that both sides share, which seal and open messages; a JWK's `use` is `enc`.
  ///
  /// Such a set has no public half: give the file itself to the other side over a secure channel.
  case shared

  /// A device's signing key for its public keys, by which a backend recognizes the device; a JWK's `use` is `sig`.
  ///
  /// It is made at the first launch and never replaced.
  case identity

  /// A key that signs the senders' public keys. The private key stays offline, and the app pins the public key; a
  /// JWK's `use` is `sig`.
  case root

  /// The set's `role` member, if the keys' algorithm does not imply the role; nil if it does.
  var name: String? {
    switch self {
    case .device, .sender, .shared: nil
    case .identity, .root: rawValue
    }
  }

  /// Whether a set of this role may contain keys of an algorithm.
  func has(_ algorithm: KeyAlgorithm) -> Bool { name == nil ? algorithm.role == self : algorithm == .ed25519 }

  /// A JWK's `use`.
  var use: String {
    switch self {
    case .device, .shared: "enc"
    case .sender, .identity, .root: "sig"
    }
  }
}
