/// All that happens to an opened notification between its text being safe and its delivery.
struct Enrichment: Sendable {
  let steps: [EnrichmentStep]
  let clock: any ReceiverClock

  /// When the time for the steps is over, by the clock's uptime.
  let end: Duration

  /// Runs the steps in order, each on what the ones before made, and hands each improvement to `delivery`.
  func run(
    on reception: Reception, of message: OpenedMessage, for delivery: Delivery,
    onFailure: (EnrichmentStep, StepFailure) async -> Void
  ) async -> Reception {
    var reception = reception
    let parts = steps.flatMap { step in step.parts(message).map { (step, $0) } }
    for (index, (step, part)) in parts.enumerated() {
      guard !delivery.isOver else { break }
      switch await run(part, on: reception.content, of: message, sharing: parts.count - index) {
      case .success(let content):
        reception = Reception(content: content, outcome: reception.outcome)
        _ = delivery.improve(reception)
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
    switch await clock.run(within: share, { try await part(content, message) }) {
    case .done(let content): return content.hasText ? .success(content) : .failure(.nothingToShow)
    case .failed(let error): return .failure(StepFailure(error))
    case .late: return .failure(.late)
    }
  }
}
