import PushSealer

/// Why nothing was sealed, as a message.
enum SealFailure {
  /// What is wrong; `policy` is the given one, so that the hint names only options that could still help.
  static func describe(_ error: SealError, policy: SealingPolicy? = nil) -> ToolError {
    switch error {
    case .attachments(let error): AttachFailure.describe(error)
    case .attachmentsOfData: ToolError(.badData, "\(error)", hint: "leave out --attach")
    case .tooLarge, .tooLargeForFCM:
      ToolError(
        .badData, "\(error)" + (policy?.mayTruncate == true ? "; --fit truncate shortens the body" : ""),
        hint: "sealpush inspect --capacity shows what fits")
    case .cryptoUnavailable: ToolError(.failed, "\(error)")
    case .unavailable: ToolError(.failed, "\(error)", hint: SuiteText.hint)
    case .notQuantumResistant:
      ToolError(
        .badData, "\(error)", hint: "the device needs a key for xwing-aesgcm: sealpush keys add")
    case .topicOfOther(.fcm): ToolError(.badData, "\(error)", hint: "\(Option.applicationID) ID")
    case .topicOfOther, .notCarriedByFCM, .payload, .nothingToShow, .reservedKey, .headers, .recipientRefused,
      .anonymousRequest:
      ToolError(.badData, "\(error)")
    }
  }
}

extension SealingPolicy {
  /// Whether there may be a body that was not shortened.
  fileprivate var mayTruncate: Bool { pushType == .alert && !fitting.truncatesBody }
}
