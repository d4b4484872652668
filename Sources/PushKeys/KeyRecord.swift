public import PushEnvelope

/// What may be shown of a key in a set: nothing secret.
public struct KeyRecord: Hashable, Sendable {
  /// The key's name: its thumbprint, a JWK's `kid`.
  public let id: Thumbprint

  /// What it is for.
  public let algorithm: KeyAlgorithm

  /// The public key; null for a shared key, which has none.
  public let publicKey: PublicKey?

  /// When it is good, and for what.
  public let life: KeyLife

  /// The record of a key pair.
  package init(publicKey: PublicKey, life: KeyLife) {
    self.init(id: publicKey.thumbprint, algorithm: publicKey.algorithm, publicKey: publicKey, life: life)
  }

  /// The record of a shared key with that name.
  init(sharedKey id: Thumbprint, life: KeyLife) {
    self.init(id: id, algorithm: .shared, publicKey: nil, life: life)
  }

  private init(id: Thumbprint, algorithm: KeyAlgorithm, publicKey: PublicKey?, life: KeyLife) {
    self.id = id
    self.algorithm = algorithm
    self.publicKey = publicKey
    self.life = life
  }

  /// The same key with another life.
  func with(_ life: KeyLife) -> KeyRecord {
    KeyRecord(id: id, algorithm: algorithm, publicKey: publicKey, life: life)
  }
}

/// When a key was made, from when to when it is good, and what it may do.
public struct KeyLife: Hashable, Sendable {
  /// When it was made, or took the active one's place (`iat`); second 0 if a public key does not say.
  public let issuedAt: UnixTime

  /// The first second at which it is good (`nbf`), if there is one.
  public let notBefore: UnixTime?

  /// The last second at which it is good (`exp`), if there is one.
  public let expiresAt: UnixTime?

  /// What it may do.
  public let status: KeyStatus

  /// Puts a life together.
  package init(
    issuedAt: UnixTime, notBefore: UnixTime? = nil, expiresAt: UnixTime? = nil, status: KeyStatus
  ) {
    self.issuedAt = issuedAt
    self.notBefore = notBefore
    self.expiresAt = expiresAt
    self.status = status
  }

  /// Whether the key's last second has passed.
  package func hasExpired(at now: UnixTime) -> Bool {
    guard let expiresAt else { return false }
    return now > expiresAt
  }

  /// How long ago the key was made, in seconds; negative if its time is still to come.
  package func age(at now: UnixTime) -> Int64 { now.seconds - issuedAt.seconds }

  /// Whether the key's first second has come.
  func hasBegun(at now: UnixTime) -> Bool {
    guard let notBefore else { return true }
    return now >= notBefore
  }

  /// This life from the moment that another key takes over, or as others see it before its own: accepted, until
  /// `end` if there is one.
  func accepted(until end: UnixTime?) -> KeyLife {
    KeyLife(issuedAt: issuedAt, notBefore: notBefore, expiresAt: end, status: .accepted)
  }

  /// This life from the moment that the key takes over.
  func active(from now: UnixTime) -> KeyLife {
    KeyLife(issuedAt: now, notBefore: notBefore, expiresAt: expiresAt, status: .active)
  }
}

/// What a key may still do.
public enum KeyStatus: String, Sendable {
  /// It seals or signs, and opens or verifies.
  case active

  /// It was replaced, and opens or verifies what is still on the way.
  case accepted

  /// A sender's: it does nothing until it takes the active one's place, and is handed out by then.
  case next
}
