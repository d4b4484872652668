import PushReceiver

extension DegradeReason {
  /// What to do about it; nil if there is no advice.
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
    case .unsupportedSuite:
      "a newer receiver is needed, or an OpenSSL that has the suite: sealpush doctor shows which this system has"
    case .malformedContent: "to open data, give its --push-type, such as voip; --data stands for background"
    case .otherFormat:
      "compare keys and parameters with sealpush open --format; if it is no longer accepted, its sender must migrate"
    case .otherAccount: "the content has the tag of another account: open with its --account, or with none"
    case .suiteNotAccepted, .keyLocked, .badSignature, .replayed, .deadline, .tooLarge: nil
    }
  }
}
