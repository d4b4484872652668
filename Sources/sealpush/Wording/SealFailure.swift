import PushSealer

/// Why nothing was sealed, as a message.
enum SealFailure {
  static func describe(_ error: SealError) -> ToolError {
    switch error {
    case .attachments(let error): AttachFailure.describe(error)
    case .attachmentsOfData: ToolError(.badData, "\(error)", hint: "leave out --attach")
    case .tooLarge:
      ToolError(.badData, "\(error)", hint: "sealpush inspect --capacity shows what fits")
    case .cryptoUnavailable: ToolError(.failed, "\(error)")
    case .payload, .nothingToShow, .reservedKey, .headers, .recipientRefused, .anonymousRequest:
      ToolError(.badData, "\(error)")
    }
  }
}
