public import PushCore

/// The public facts about a key in a set: ID, algorithm, public key, validity and status.
public struct KeyRecord: Hashable, Sendable {
  /// The key's thumbprint, a JWK's `kid`.
  public let id: Thumbprint

  /// The key's algorithm.
  public let algorithm: KeyAlgorithm

  /// The public key; nil for a shared key, which has none.
  public let publicKey: PublicKey?

  /// When the key is valid, and its status.
  public let life: KeyLife

  /// The record of a key pair.
  package init(publicKey: PublicKey, life: KeyLife) {
    self.init(id: publicKey.thumbprint, algorithm: publicKey.algorithm, publicKey: publicKey, life: life)
  }

  /// The record of a shared key with this thumbprint.
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
  func with(life: KeyLife) -> KeyRecord {
    KeyRecord(id: id, algorithm: algorithm, publicKey: publicKey, life: life)
  }
}

/// When a key was issued, when it is valid, and its status.
public struct KeyLife: Hashable, Sendable {
  /// When the key was made or became active (`iat`); second 0 if a public key has no `iat`.
  public let issuedAt: UnixTime

  /// The first second at which the key is valid (`nbf`); nil for no such limit.
  public let notBefore: UnixTime?

  /// The last second at which the key is valid (`exp`); nil if it does not expire.
  public let expiresAt: UnixTime?

  /// The key's status.
  public let status: KeyStatus

  /// Makes a life from its parts.
  package init(
    issuedAt: UnixTime, notBefore: UnixTime? = nil, expiresAt: UnixTime? = nil, status: KeyStatus
  ) {
    self.issuedAt = issuedAt
    self.notBefore = notBefore
    self.expiresAt = expiresAt
    self.status = status
  }

  /// Whether the key has expired at `now`.
  package func hasExpired(at now: UnixTime) -> Bool {
    guard let expiresAt else { return false }
    return now > expiresAt
  }

  /// The key's age in seconds; negative if it was issued after `now`.
  package func age(at now: UnixTime) -> Int64 { now.seconds - issuedAt.seconds }

  /// Whether the key's `nbf` has been reached.
  func hasBegun(at now: UnixTime) -> Bool {
    guard let notBefore else { return true }
    return now >= notBefore
  }

  /// The same life with status accepted, ending at `end` if it is given.
  func accepted(until end: UnixTime?) -> KeyLife {
    KeyLife(issuedAt: issuedAt, notBefore: notBefore, expiresAt: end, status: .accepted)
  }

  /// The same life once the key becomes active at `now`.
  func active(from now: UnixTime) -> KeyLife {
    KeyLife(issuedAt: now, notBefore: notBefore, expiresAt: expiresAt, status: .active)
  }
}

/// Whether a key is in use, replaced, or not yet in use.
public enum KeyStatus: String, Sendable {
  /// In use: messages are sealed to it or signed with it, and it opens or verifies them.
  case active

  /// Replaced: it only opens or verifies messages that have not been delivered yet.
  case accepted

  /// A sender's next key: it is published in advance, and signs nothing until it becomes active.
  case next
}
