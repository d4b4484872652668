import PushAttachments
import PushFiles

/// Why an attachment was not sealed or opened, as a message.
enum AttachFailure {
  /// The error; `name` is the file that was read.
  static func describe(_ error: AttachmentError, reading input: String = "the file") -> ToolError {
    ToolError(status(of: error), error.description(of: input), hint: remedy(for: error))
  }

  private static func status(of error: AttachmentError) -> ExitStatus {
    switch error {
    case .unreadable(.notPermitted, _): .noPermission
    case .unreadable: .noInput
    case .unwritable: .cannotCreate
    case .cryptoUnavailable: .failed
    default: .badData
    }
  }

  private static func remedy(for error: AttachmentError) -> String? {
    switch error {
    case .unwritable(.exists, _): "--force replaces it"
    case .notAuthentic: "it was altered, or the descriptor belongs to another blob"
    case .invalidMember: "use a descriptor that attach seal printed"
    case .missingURL: "upload the blob, and add its address: \"url\":\"https://…\""
    default: nil
    }
  }
}
