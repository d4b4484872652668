import PushReceiver

extension DegradeReason {
  /// What the reason means, for an operator.
  var explanation: String {
    switch self {
    case .noEnvelope: "the payload has no envelope"
    case .malformedEnvelope: "the envelope is not well-formed"
    case .unsupportedVersion: "the envelope is of a version that this tool does not know"
    case .unsupportedSuite:
      "the envelope's suite is unknown, or the system's OpenSSL does not have its cipher"
    case .suiteNotAccepted: "the envelope's suite is not accepted here"
    case .anonymousNotAccepted: "nobody signed the message, and such messages are not accepted here"
    case .unknownKey: "it was sealed to a key that is not, or no longer, in the file"
    case .keyLocked: "the keys cannot be read before the phone is first unlocked"
    case .unknownSender: "it is signed with a key that is not among the trusted senders"
    case .notAuthentic: "it does not decrypt"
    case .badSignature: "the signature is not the sender's"
    case .expired: "its lifetime is over"
    case .notYetValid: "it was issued in the future"
    case .replayed: "another message with the same identity was opened before"
    case .malformedContent: "what was sealed is not a notification"
    case .otherFormat: "it has another system's envelope, which did not open, or whose time is over"
    case .deadline: "time ran out"
    case .tooLarge: "the envelope is longer than any that APNs carries"
    }
  }

  /// What to do about it; null where nothing can be said.
  var remedy: String? {
    switch self {
    case .noEnvelope: "was it sealed, and with this --envelope-key?"
    case .malformedEnvelope: "something changed the text on the way: wrapped lines, another alphabet, a cut"
    case .anonymousNotAccepted: "seal with --from, or open with --anonymous"
    case .unknownKey: "hand the device's public set out anew: sealpush keys export"
    case .unknownSender: "hand the sender's public set out anew: sealpush keys export"
    case .notAuthentic: "the --topic must be the sealer's; else the message was changed on the way"
    case .notYetValid: "one of the two clocks is wrong by more than 5 minutes"
    case .expired: "seal with a longer --lifetime, or look at the device's clock"
    case .unsupportedVersion: "a newer receiver is needed"
    case .unsupportedSuite: "a newer receiver is needed, or an OpenSSL whose configuration allows AES-256-GCM"
    case .malformedContent: "data, such as a VoIP push, opens with: sealpush open --data"
    case .otherFormat:
      "compare keys and parameters: sealpush open --format; if it is over, who wrote it should seal by now"
    case .suiteNotAccepted, .keyLocked, .badSignature, .replayed, .deadline, .tooLarge: nil
    }
  }
}
