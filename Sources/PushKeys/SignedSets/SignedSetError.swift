/// Why a signed key set, an enrolment or a registration is refused: FORMAT.md, section 11.
public enum SignedSetError: Error, Equatable, Sendable {
  /// It has more than 64 KiB, or, as an enrolment, more than 32.
  case tooLarge
  /// It is not three parts of base64url with periods between them.
  case malformedJWS
  /// Its header is no JSON object, or has other members than it must have.
  case malformedHeader
  /// Its algorithm is not Ed25519.
  case unsupportedAlgorithm
  /// It is signed, but as something else than a key set.
  case wrongType
  /// It names a signer that is none of the pinned roots.
  case unknownSigner
  /// The signature is not the signer's.
  case badSignature
  /// What is signed is not JSON, or a claim is missing or wrong.
  case malformedClaims
  /// Its `v` is not 1: a newer program wrote it.
  case unsupportedVersion
  /// The key set in it is at fault.
  case invalidKeys(KeySetError)
  /// It has a device's keys where a sender's are wanted, or the reverse, or another's.
  case wrongKeys
  /// It is for another app.
  case otherTopic
  /// Its serial is lower than the last one, which is given.
  case olderSerial(last: Int64)
  /// It has the last serial, and is not the same.
  case sameSerial
  /// The enrolment is no JSON object, or a member is missing, wrong or not known.
  case malformedEnrolment
  /// The enrolment's keys are not signed.
  case unsigned
  /// A member of the enrolment is not what is signed.
  case mismatch(member: String)
  /// It has not the challenge that the backend gave for it.
  case wrongChallenge
  /// It is signed by another identity than the registration's: another phone's, or somebody else's.
  case otherIdentity
  /// There is no registration of that name.
  case notRegistered
  /// Another registration, whose name is given, has the same identity.
  case identityInUse(registration: String)
  /// Another registration, whose name is given, has the same device token.
  case tokenInUse(registration: String)
  /// Another registration, whose name is given, has a key of the same key id.
  case keyInUse(registration: String)

  /// The reason as FORMAT.md writes it.
  public var code: String {
    switch self {
    case .tooLarge: "too-large"
    case .malformedJWS: "malformed-jws"
    case .malformedHeader: "malformed-header"
    case .unsupportedAlgorithm: "unsupported-algorithm"
    case .wrongType: "wrong-type"
    case .unknownSigner: "unknown-signer"
    case .badSignature: "bad-signature"
    case .malformedClaims: "malformed-claims"
    case .unsupportedVersion: "unsupported-version"
    case .invalidKeys: "invalid-keys"
    case .wrongKeys: "wrong-keys"
    case .otherTopic: "other-topic"
    case .olderSerial: "older-serial"
    case .sameSerial: "same-serial"
    case .malformedEnrolment: "malformed-enrolment"
    case .unsigned: "unsigned"
    case .mismatch: "mismatch"
    case .wrongChallenge: "wrong-challenge"
    case .otherIdentity: "other-identity"
    case .notRegistered: "not-registered"
    case .identityInUse: "identity-in-use"
    case .tokenInUse: "token-in-use"
    case .keyInUse: "key-in-use"
    }
  }
}
