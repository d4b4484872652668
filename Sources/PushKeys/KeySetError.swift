public import PushPayload

/// Why a key set cannot be read, used or changed.
///
/// Keys are counted from 0, in the order of the file. Nothing secret is ever part of an error.
public enum KeySetError: Error, Equatable, Sendable {
  /// It is not JSON.
  case json(JSONError)
  /// It is JSON, but no object with an array `keys` of objects.
  case notAKeySet
  /// Its `v` is not 1: a newer program wrote it.
  case unsupportedVersion
  /// It has no key.
  case empty
  /// It has more than 16,384 keys.
  case tooManyKeys
  /// It has keys of several roles: of devices, of senders, or shared ones; or of another than it says.
  case mixedRoles
  /// Its `role` is none of those that are written down; its `serial` is missing, wrong, or not its role's; or the `keys`
  /// of a root or an identity are more than one, or have an end.
  case invalidSetMember(String)
  /// Two keys wait to become the active one, or one does in a set that is no sender's.
  case misplacedNextKey
  /// A key in a public set has a private member. Whoever sent it has given the key away.
  case privateKeyInPublicSet(index: Int)
  /// A key in a private set has no private member.
  case missingPrivateKey(index: Int)
  /// A member is missing, of the wrong type, out of range, not canonical, or does not fit the key's others.
  case invalidMember(index: Int, member: String)
  /// A private set has a member that would be lost when the set is written again.
  ///
  /// The index is null outside the keys. A name of more than 20 bytes is given as "…".
  case unknownMember(index: Int?, member: String)
  /// The public key is not the private key's, or `kid` is not the key's thumbprint.
  case keyMismatch(index: Int)
  /// A key is there twice.
  case duplicateKey
  /// Two keys have thumbprints that begin with the same 8 bytes, by which envelopes name them.
  case collidingKeyIDs
  /// Two keys of one suite are active.
  case twoActiveKeys
  /// No key of a suite is active.
  case noActiveKey
  /// The active key's `exp` has passed.
  case keyEnded
  /// The active key's `nbf` has not come.
  case keyNotBegun
  /// The set's keys are of another role than is needed.
  case wrongRole
  /// The set's keys are shared ones, which have no public half.
  case noPublicHalf
  /// The set has no key of the suite.
  case noKeyForSuite
  /// The set has no key of that name.
  case noSuchKey
  /// The set has a key of the suite already.
  case suitePresent
  /// A replaced key must be accepted for at least 30 days, as long as APNs may hold a push.
  case graceTooShort
  /// The serial is not greater than the last one that the key gave, or there is no greater one.
  case serialNotGreater
}
