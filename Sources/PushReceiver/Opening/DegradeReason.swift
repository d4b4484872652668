internal import PushCrypto
internal import PushEnvelope
internal import PushKeys

/// Why a message was not opened.
///
/// The raw values are stable and say nothing of the content.
public enum DegradeReason: String, Error, Sendable, CaseIterable {
  /// The payload has no envelope.
  case noEnvelope = "no-envelope"
  /// The envelope is not well-formed.
  case malformedEnvelope = "malformed-envelope"
  /// The envelope is of a later version.
  case unsupportedVersion = "unsupported-version"
  /// The suite is unknown.
  case unsupportedSuite = "unsupported-suite"
  /// The suite is known and not accepted here.
  case suiteNotAccepted = "suite-not-accepted"
  /// The message is not signed, and such are not accepted here.
  case anonymousNotAccepted = "anonymous-not-accepted"
  /// The device has no such key, or no longer: the app should enrol anew.
  case unknownKey = "unknown-key"
  /// The keys cannot be read before the phone is first unlocked, or at all.
  case keyLocked = "key-locked"
  /// The signer is not a trusted sender.
  case unknownSender = "unknown-sender"
  /// The ciphertext did not open. Why is not said.
  case notAuthentic = "not-authentic"
  /// The signature is not the sender's.
  case badSignature = "bad-signature"
  /// The message's lifetime is over.
  case expired
  /// The message was issued in the future.
  case notYetValid = "not-yet-valid"
  /// A message with this identity and another content was shown before.
  case replayed
  /// What was sealed is no content for an extension to show.
  case malformedContent = "malformed-content"
  /// Time ran out.
  case deadline
  /// The envelope is longer than any that APNs carries.
  case tooLarge = "too-large"
  /// The push has the envelope of another system, whose format the receiver knows, and it did not open, or the
  /// format's time is over.
  case otherFormat = "other-format"
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

  /// What it means that a key did not open an envelope: it cannot be used now, the system does not have the suite's
  /// cipher, or, without detail, it does not fit.
  init(_ error: CryptoError) {
    switch error {
    case .keyLocked, .keyUnavailable: self = .keyLocked
    case .unavailable: self = .unsupportedSuite
    default: self = .notAuthentic
    }
  }
}
