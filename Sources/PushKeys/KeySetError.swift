public import PushPayload

/// Why a key set cannot be read, used, or changed.
///
/// Key indices start at 0, in file order. Errors never contain secrets.
public enum KeySetError: Error, Equatable, Sendable {
  /// The input is not valid JSON.
  case json(JSONError)
  /// The input is JSON, but not an object with a `keys` array of objects.
  case notAKeySet
  /// Its `v` is not 1: newer software wrote it.
  case unsupportedVersion
  /// The set has no keys.
  case empty
  /// The set has more than 16,384 keys.
  case tooManyKeys
  /// The set mixes keys of several roles (device, sender, shared), or its keys do not match its `role`.
  case mixedRoles
  /// A member of the set is invalid: its `role` is unknown, its `serial` is missing, out of range, or not allowed for
  /// the role, or a root's or identity's `keys` has more than one key, or one that expires.
  case invalidSetMember(String)
  /// The set has two next keys, or has a next key but is not a sender's.
  case misplacedNextKey
  /// A key in a public set has a private member. The private key has leaked: revoke it.
  case privateKeyInPublicSet(index: Int)
  /// A key in a private set lacks its private member.
  case missingPrivateKey(index: Int)
  /// A member is missing, has the wrong type, is out of range, is not canonical, or contradicts another member.
  case invalidMember(index: Int, member: String)
  /// A private set has an unknown member, which would be lost when the set is rewritten.
  ///
  /// The index is `nil` outside `keys`. A name longer than 20 bytes is given as "…".
  case unknownMember(index: Int?, member: String)
  /// The public key does not belong to the private key, or `kid` is not the key's thumbprint.
  case keyMismatch(index: Int)
  /// The set contains the same key twice.
  case duplicateKey
  /// Two keys have the same key ID: the first 8 bytes of their thumbprints, which envelopes use, are equal.
  case collidingKeyIDs
  /// Two keys of one suite are active.
  case twoActiveKeys
  /// No key of a suite is active.
  case noActiveKey
  /// The active key has expired (`exp`).
  case keyEnded
  /// The active key is not valid yet (`nbf`).
  case keyNotBegun
  /// The set's keys have the wrong role for this operation.
  case wrongRole
  /// The set's keys are shared keys, which have no public half.
  case noPublicHalf
  /// The set has no key for the suite.
  case noKeyForSuite
  /// The set has no key with this thumbprint.
  case noSuchKey
  /// The set already has a key for the suite.
  case suitePresent
  /// The grace period is shorter than 30 days, the time for which APNs may store a push.
  case graceTooShort
  /// The serial is not greater than the key's last one, or exceeds 2^53 - 1.
  case serialNotGreater
}
