internal import PushCrypto
internal import PushCore
internal import PushKeys

/// Why a message was not opened.
///
/// The raw values are stable and reveal nothing of the content.
public enum DegradeReason: String, Error, Sendable, CaseIterable {
  /// The payload has no envelope.
  case noEnvelope = "no-envelope"
  /// The envelope is not well-formed.
  case malformedEnvelope = "malformed-envelope"
  /// The envelope has a later version.
  case unsupportedVersion = "unsupported-version"
  /// The suite is unknown, or this system's libraries do not have it.
  case unsupportedSuite = "unsupported-suite"
  /// The suite is known, but the receiver does not accept it.
  case suiteNotAccepted = "suite-not-accepted"
  /// The message is not signed, and the receiver does not accept anonymous messages.
  case anonymousNotAccepted = "anonymous-not-accepted"
  /// The device does not have the key, or no longer has it: the app should enrol again.
  case unknownKey = "unknown-key"
  /// The keys cannot be read: the phone was not unlocked since it started, or its key store does not answer.
  case keyLocked = "key-locked"
  /// The signer is not a trusted sender.
  case unknownSender = "unknown-sender"
  /// The ciphertext did not open; there is no further detail.
  case notAuthentic = "not-authentic"
  /// The signature is not valid.
  case badSignature = "bad-signature"
  /// The message has expired.
  case expired
  /// The message was issued in the future.
  case notYetValid = "not-yet-valid"
  /// A message with the same ID and different content was opened before.
  case replayed
  /// The sealed content is not a notification that an extension can show.
  case malformedContent = "malformed-content"
  /// Time ran out.
  case deadline
  /// The envelope is longer than APNs allows.
  case tooLarge = "too-large"
  /// The push has another system's envelope in a format that the receiver knows, and it did not open, or the format is
  /// no longer accepted.
  case otherFormat = "other-format"
  /// The message is for an account that is not signed in on the device.
  case otherAccount = "other-account"
}

extension DegradeReason: CustomStringConvertible {
  /// The code, and what it means.
  public var description: String { "\(rawValue): \(explanation)" }

  /// What the reason means, for a developer or an operator.
  public var explanation: String {
    switch self {
    case .noEnvelope: "the payload has no envelope"
    case .malformedEnvelope: "the envelope is malformed"
    case .unsupportedVersion: "the envelope has a version that is not known here"
    case .unsupportedSuite:
      "the envelope's suite is unknown, or this system's libraries do not have it"
    case .suiteNotAccepted: "the envelope's suite is not accepted here"
    case .anonymousNotAccepted: "the message is not signed, and unsigned messages are not accepted here"
    case .unknownKey: "it was sealed to a key that the receiver does not have, or no longer has"
    case .keyLocked: "the keys cannot be read before the phone is first unlocked"
    case .unknownSender:
      "it is signed by a sender that is not trusted, or after the end of the senders' signed set"
    case .notAuthentic: "it does not decrypt"
    case .badSignature: "the signature is invalid"
    case .expired: "its lifetime has passed"
    case .notYetValid: "it was issued in the future"
    case .replayed: "another message with the same identity was opened before"
    case .malformedContent: "the sealed content is not a notification"
    case .otherAccount: "it is for an account that is not signed in here"
    case .otherFormat: "it has another system's envelope, which did not open or is no longer accepted"
    case .deadline: "time ran out"
    case .tooLarge: "the envelope is longer than APNs allows"
    }
  }
}

extension DegradeReason {
  init(_ error: EnvelopeError) {
    switch error {
    case .tooLarge: self = .tooLarge
    case .unsupportedVersion: self = .unsupportedVersion
    case .unsupportedSuite: self = .unsupportedSuite
    case .notBase64URL, .truncated, .badEncapsulatedKey: self = .malformedEnvelope
    }
  }

  init(_ error: KeyStoreError) {
    switch error {
    case .locked, .unavailable: self = .keyLocked
    }
  }

  /// The reason for which a key did not open an envelope: the key cannot be used now, the system lacks the suite's
  /// cipher, or the envelope is not authentic, without further detail.
  init(_ error: CryptoError) {
    switch error {
    case .keyLocked, .keyUnavailable: self = .keyLocked
    case .unavailable: self = .unsupportedSuite
    default: self = .notAuthentic
    }
  }
}
