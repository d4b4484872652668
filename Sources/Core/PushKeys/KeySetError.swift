public import PushCore
internal import PushFiles

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
  /// A member of the set is invalid: its `role` is unknown; its `serial` is missing, out of range, or not allowed for
  /// the role; or a root's or identity's `keys` has more than one key, or a key that expires.
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
  /// The public key does not belong to the private key.
  case keyMismatch(index: Int)
  /// `kid` is not the key's thumbprint, which it must be; only a public set may leave it out.
  case wrongKeyID(index: Int, thumbprint: Thumbprint)
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
  /// This system's libraries do not have the suite: `xwing-aesgcm` needs OpenSSL 3.5, or iOS 26 or macOS 26.
  case unavailable(Suite)
  /// The hardware that is to hold the key made none, for the given reason.
  case hardware(String)
  /// The set already has a key for the suite.
  case suitePresent
  /// The grace period is shorter than 30 days, the time for which APNs may store a push.
  case graceTooShort
  /// A sender's next key is younger than seven days, so phones may lack it: it must not become active before this time.
  case nextKeyTooYoung(until: UnixTime)
  /// The serial is not greater than the key's last one, or exceeds 2^53 - 1.
  case serialNotGreater
}

extension KeySetError: CustomStringConvertible {
  /// What is wrong, and with which key or member.
  public var description: String { "key set: \(reason)" }

  /// What is wrong, to follow the name of the file or other source of the set.
  package var reason: String {
    switch self {
    case .json(let error): "not strict JSON: \(error)"
    case .notAKeySet: "not a JWK Set"
    case .unsupportedVersion: "written by a newer version"
    case .empty: "it has no keys"
    case .tooManyKeys: "too many keys"
    case .mixedRoles: "keys of devices, senders, roots and so on cannot share a set"
    case .invalidSetMember(let member): "'\(PrintableText.escaped(member))' is missing or wrong"
    case .misplacedNextKey: "a key is 'next' where that is not allowed"
    case .privateKeyInPublicSet(let index):
      "key \(index) is private where a public key is expected; anyone who received it can open or sign"
    case .missingPrivateKey(let index): "key \(index) is public, but a private key is needed"
    case .invalidMember(let index, let member):
      "key \(index): '\(PrintableText.escaped(member))' is missing or wrong"
    case .unknownMember(let index?, let member): "key \(index): '\(PrintableText.escaped(member))' is unknown"
    case .unknownMember(nil, let member): "'\(PrintableText.escaped(member))' is unknown"
    case .keyMismatch(let index): "key \(index): its parts do not match"
    case .wrongKeyID(let index, let thumbprint):
      "key \(index): 'kid' must be the key's thumbprint, \(thumbprint.text); a public key may leave it out"
    case .duplicateKey: "a key is duplicated"
    case .collidingKeyIDs: "two keys have the same key ID"
    case .twoActiveKeys: "two keys of a suite are active"
    case .noActiveKey: "no key is active"
    case .keyEnded: "the active key has expired"
    case .keyNotBegun: "the active key is not valid yet"
    case .wrongRole: "the keys have the wrong role"
    case .noPublicHalf: "shared keys have no public half"
    case .noKeyForSuite: "no key of that suite"
    case .unavailable(let suite): suite.unavailability
    case .hardware(let reason): "the hardware made no key: \(PrintableText.escaped(reason))"
    case .noSuchKey: "it has no key with that name"
    case .suitePresent: "there is already a key of that suite"
    case .graceTooShort: "the grace period is shorter than 30 days"
    case .nextKeyTooYoung: "the next key is younger than seven days, and phones may lack it"
    case .serialNotGreater: "the serial is not greater than the last one"
    }
  }
}

extension Suite {
  /// What the system lacks if the suite is not available, and which systems have it.
  package var unavailability: String {
    "the suite \(name) needs ML-KEM-768 and SHA-3, which this system's libraries do not have: "
      + "it takes OpenSSL 3.5 or later, as in Debian 13, or iOS 26 or macOS 26"
  }
}
