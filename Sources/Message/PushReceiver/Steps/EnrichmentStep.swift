internal import PushCore
public import PushAttachments

/// A step that improves an opened notification before it is shown, such as with a name from the contacts or an avatar.
///
/// Steps run one after the other, after the text is safe: whatever a step does, the person sees at least the text. Each
/// step gets an equal share of the remaining time. A step that throws, exceeds its share, or leaves neither title nor
/// body changes nothing.
public struct EnrichmentStep: Sendable {
  /// Its name in the log.
  public let name: String

  /// A part of a step, with a share of the time of its own.
  typealias Part = @Sendable (ShownContent, OpenedMessage) async throws -> ShownContent

  /// What the step consists of for a message.
  let parts: @Sendable (OpenedMessage) -> [Part]

  /// Makes a step, which changes what is shown of a message.
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

  /// Takes a code that a log has.
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

/// The steps on one opened notification, from when its text is safe until it is handed over.
struct Enrichment: Sendable {
  let steps: [EnrichmentStep]
  let clock: any PushClock

  /// When the time for the steps is over, by the clock's uptime.
  let end: Duration

  /// Runs the steps in order, each on what the ones before made, and hands each improvement to `delivery`.
  func run(
    on reception: Reception, of message: OpenedMessage, for delivery: PendingReception,
    onFailure: (EnrichmentStep, StepFailure) async -> Void
  ) async -> Reception {
    var reception = reception
    let parts = steps.flatMap { step in step.parts(message).map { (step, $0) } }
    for (index, (step, part)) in parts.enumerated() {
      guard !delivery.isClosed else { break }
      switch await run(part, on: reception.content, of: message, sharing: parts.count - index) {
      case .success(let content):
        reception = Reception(content: content, outcome: reception.outcome)
        delivery.improve(to: reception)
      case .failure(let failure):
        await onFailure(step, failure)
      }
    }
    return reception
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
