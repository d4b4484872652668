import PushPayload
import PushSealer

/// Why nothing was sealed, in the operator's words.
enum SealFailure {
  static func describe(_ error: SealError) -> ToolError {
    switch error {
    case .payload(let error): ToolError(.badData, "the payload breaks a rule: \(error)")
    case .nothingToShow:
      ToolError(.badData, "the payload has no title and no body, so the extension would have nothing to show")
    case .reservedKey(let key): ToolError(.badData, "the payload has a member '\(key)', which is reserved")
    case .attachments(let error): AttachFailure.describe(error)
    case .attachmentsOfData:
      ToolError(.badData, "a push that shows nothing has no attachments", hint: "leave out --attach")
    case .tooLarge(let bytes, let limit):
      ToolError(
        .badData, "too large: the sealed payload would have \(bytes) bytes, and APNs takes \(limit)",
        hint: "sealpush inspect --capacity says what fits")
    case .headers(let error): ToolError(.badData, describe(error))
    case .recipientRefused: ToolError(.badData, "the device's public key is refused")
    case .cryptoUnavailable: ToolError(.failed, "the system's OpenSSL has no working AES-256-GCM")
    }
  }

  private static func describe(_ error: HeaderError) -> String {
    switch error {
    case .priority(let priority, let pushType):
      "a push of type \(pushType.rawValue) does not have priority \(priority.rawValue)"
    case .collapseID: "the collapse id has 1 to 64 visible characters of ASCII"
    case .expirationOutsideLifetime: "the expiration is not within the message's lifetime"
    case .mustBeNowOrNever(let pushType):
      "a push of type \(pushType.rawValue) cannot be kept: its expiration is 0"
    }
  }
}
