import PushPayload
import PushSealer

/// Why nothing was sealed, as a message.
enum SealFailure {
  /// What is wrong; `policy` is what the options asked for, which more of them could change.
  static func describe(_ error: SealError, policy: SealingPolicy? = nil) -> ToolError {
    switch error {
    case .payload(let error): ToolError(.badData, "the payload breaks a rule: \(error)")
    case .nothingToShow:
      ToolError(.badData, "the payload has no title and no body, so there would be nothing to show")
    case .reservedKey(let key): ToolError(.badData, "the payload has a member '\(key)', which is reserved")
    case .attachments(let error): AttachFailure.describe(error)
    case .attachmentsOfData:
      ToolError(.badData, "a push without a notification cannot have attachments", hint: "leave out --attach")
    case .tooLarge(let bytes, let limit):
      ToolError(
        .badData,
        "too large: the sealed payload would have \(bytes) bytes, and APNs allows \(limit)"
          + (policy?.mayTruncate == true ? "; --fit truncate shortens the body" : ""),
        hint: "sealpush inspect --capacity shows what fits")
    case .headers(let error): ToolError(.badData, describe(error))
    case .recipientRefused: ToolError(.badData, "the device's public key is invalid")
    case .anonymousRequest: ToolError(.badData, "a proof request must be signed")
    case .cryptoUnavailable: ToolError(.failed, "the system's OpenSSL does not support AES-256-GCM")
    }
  }

  private static func describe(_ error: HeaderError) -> String {
    switch error {
    case .priority(let priority, let pushType):
      "a push of type \(pushType.rawValue) cannot have priority \(priority.rawValue)"
    case .collapseID: "the collapse ID must have 1 to 64 visible ASCII characters"
    case .expirationOutsideLifetime: "the expiration is not within the message's lifetime"
    case .mustBeNowOrNever(let pushType):
      "a push of type \(pushType.rawValue) cannot be stored: its expiration must be 0"
    }
  }
}

extension SealingPolicy {
  /// Whether there may be a body to shorten, and it was not.
  fileprivate var mayTruncate: Bool { pushType == .alert && !fitting.truncatesBody }
}
