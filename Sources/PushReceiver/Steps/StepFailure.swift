public import PushAttachments

/// Why a step changed nothing.
public struct StepFailure: Error, Hashable, Sendable {
  /// A stable word, which says nothing of the content.
  public let code: String

  /// It threw an error without a code.
  public static let failed = StepFailure(code: "failed")
  /// Its time was over.
  public static let late = StepFailure(code: "late")
  /// It left neither a title nor a body.
  public static let nothingToShow = StepFailure(code: "nothing-to-show")

  private init(code: String) { self.code = code }

  /// What an error means that a step threw.
  init(_ error: any Error) {
    self = (error as? any CodedError).map { StepFailure(code: $0.code) } ?? .failed
  }
}

/// An error that has a word for the log: stable, and nothing of the content.
public protocol CodedError: Error {
  /// The word, such as `wrong-digest`.
  var code: String { get }
}

extension AttachmentError: CodedError {}
