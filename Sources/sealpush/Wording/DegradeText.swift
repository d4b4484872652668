import PushReceiver

extension DegradeReason {
  /// What the reason means, for an operator.
  var explanation: String {
    switch self {
    case .noEnvelope: "the payload has no envelope"
    case .malformedEnvelope: "the envelope is malformed"
    case .unsupportedVersion: "the envelope has a version that this tool does not know"
    case .unsupportedSuite:
      "the envelope's suite is unknown, or the system's OpenSSL lacks its cipher"
    case .suiteNotAccepted: "the envelope's suite is not accepted here"
    case .anonymousNotAccepted: "the message is not signed, and unsigned messages are not accepted here"
    case .unknownKey: "it was sealed to a key that is not in the file, or no longer"
    case .keyLocked: "the keys cannot be read before the phone is first unlocked"
    case .unknownSender:
      "it is signed by a sender that is not trusted, or after the end of the senders' signed set"
    case .notAuthentic: "it does not decrypt"
    case .badSignature: "the signature is invalid"
    case .expired: "its lifetime has passed"
    case .notYetValid: "it was issued in the future"
    case .replayed: "another message with the same identity was opened before"
    case .malformedContent: "the sealed content is not a notification"
    case .otherFormat: "it has another system's envelope, which did not open or is no longer accepted"
    case .deadline: "time ran out"
    case .tooLarge: "the envelope is longer than APNs allows"
    }
  }

  /// What to do about it; nil where nothing can be said.
  var remedy: String? {
    switch self {
    case .noEnvelope: "was it sealed, and with this --envelope-key?"
    case .malformedEnvelope: "the text was altered in transit: wrapped lines, another alphabet, truncation"
    case .anonymousNotAccepted: "seal with --from, or open with --anonymous"
    case .unknownKey: "distribute the device's public set again: sealpush keys export"
    case .unknownSender:
      "distribute the senders' public set again: sealpush keys export, or keys sign-senders where a root signs it"
    case .notAuthentic: "the --topic must match the sealer's; otherwise the message was altered in transit"
    case .notYetValid: "one of the two clocks is off by more than 5 minutes"
    case .expired: "seal with a longer --lifetime, or check the device's clock"
    case .unsupportedVersion: "a newer receiver is needed"
    case .unsupportedSuite: "a newer receiver is needed, or an OpenSSL whose configuration allows AES-256-GCM"
    case .malformedContent: "to open data, such as a VoIP push: sealpush open --data"
    case .otherFormat:
      "compare keys and parameters with sealpush open --format; if it is no longer accepted, its sender must migrate"
    case .suiteNotAccepted, .keyLocked, .badSignature, .replayed, .deadline, .tooLarge: nil
    }
  }
}
