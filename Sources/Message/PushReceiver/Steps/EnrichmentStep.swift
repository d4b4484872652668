internal import PushCore
public import PushAttachments

/// A step that improves an opened notification before it is shown, such as with a name from the contacts or an avatar.
///
/// Steps run one after the other, once the opened text is sure to be shown: whatever a step does, the person sees at
/// least that text. Each step gets an equal share of the remaining time. A step that throws, exceeds its share, or
/// leaves neither title nor body changes nothing.
public struct EnrichmentStep: Sendable {
  /// The step's name in the log.
  public let name: String

  /// A part of a step, with its own share of the time.
  typealias Part = @Sendable (ShownContent, OpenedMessage) async throws -> ShownContent

  /// The parts of the step for a message.
  let parts: @Sendable (OpenedMessage) -> [Part]

  /// Whether it runs on a duplicate, too, because without it the notification would have another text.
  var runsOnDuplicates = false

  /// Makes a step that changes the content to show for a message.
  public init(
    _ name: String,
    enrich:
      @escaping @Sendable (_ content: inout ShownContent, _ message: OpenedMessage) async throws -> Void
  ) {
    self.init(name) { _ in
      [
        { content, message in
          var content = content
          try await enrich(&content, message)
          return content
        }
      ]
    }
  }

  init(_ name: String, parts: @escaping @Sendable (OpenedMessage) -> [Part]) {
    self.name = name
    self.parts = parts
  }
}

/// Why a step failed, and changed nothing.
public struct StepFailure: Error, Hashable, Sendable {
  /// A stable code, which reveals nothing of the content.
  public let code: String

  /// It threw an error without a code.
  public static let failed = StepFailure(code: "failed")
  /// Its time ran out.
  public static let late = StepFailure(code: "late")
  /// It left neither a title nor a body.
  public static let nothingToShow = StepFailure(code: "nothing-to-show")

  /// Takes a code that was read from a log.
  package init(code: String) { self.code = code }

  /// Converts an error that a step threw.
  init(_ error: any Error) {
    self = (error as? any CodedError).map { StepFailure(code: $0.code) } ?? .failed
  }
}

extension StepFailure: CustomStringConvertible {
  /// The code, and what it means.
  public var description: String { "\(code): \(explanation)" }

  /// What the code means.
  package var explanation: String {
    switch self {
    case .failed: "a step after opening threw an error; the notification was shown without it"
    case .late: "a step after opening took too long; the notification was shown without it"
    case .nothingToShow:
      "a step after opening left no title and no body; the notification was shown without it"
    default: "a step after opening threw this error; the notification was shown without it"
    }
  }
}

/// An error with a stable code for the log, which reveals nothing of the content.
public protocol CodedError: Error {
  /// The code, such as `wrong-digest`.
  var code: String { get }
}

extension AttachmentError: CodedError {}

/// Runs the steps on one opened notification, until it is handed over.
struct Enrichment: Sendable {
  let steps: [EnrichmentStep]
  let clock: any PushClock

  /// The clock's uptime at which the time for the steps is over.
  let end: Duration

  /// Runs the steps in order, each on the result of the ones before, and passes each improvement to `reception`.
  func run(
    on result: Reception, of message: OpenedMessage, for reception: PendingReception,
    onFailure: (EnrichmentStep, StepFailure) async -> Void
  ) async -> Reception {
    var result = result
    let parts = steps.flatMap { step in step.parts(message).map { (step, $0) } }
    for (index, (step, part)) in parts.enumerated() {
      guard !reception.isClosed else { break }
      switch await run(part, on: result.content, of: message, sharing: parts.count - index) {
      case .success(let content):
        result = Reception(content: content, outcome: result.outcome)
        reception.improve(to: result)
      case .failure(let failure):
        await onFailure(step, failure)
      }
    }
    return result
  }

  private func run(
    _ part: @escaping EnrichmentStep.Part, on content: ShownContent, of message: OpenedMessage,
    sharing shares: Int
  ) async -> Result<ShownContent, StepFailure> {
    let share = (end - clock.uptime) / shares
    switch await clock.run(within: share, work: { try await part(content, message) }) {
    case .done(let content): return content.hasText ? .success(content) : .failure(.nothingToShow)
    case .failed(let error): return .failure(StepFailure(error))
    case .late: return .failure(.late)
    }
  }
}
