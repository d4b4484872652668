public import PushReceiver

/// A step that never finishes, like one that waits for an avatar that never arrives.
public struct StalledStep: Sendable {
  /// The step, for a receiver.
  public let step: EnrichmentStep

  private let begun: Signal

  /// Makes a step.
  public init(_ name: String) {
    let begun = Signal()
    self.begun = begun
    step = EnrichmentStep(name) { _, _ in
      begun.fire()
      await Signal().wait()
    }
  }

  /// Waits until a receiver has started the step.
  ///
  /// From then on the opened text is sure to be shown, and the test may move the clock.
  public func waitUntilBegun() async { await begun.wait() }
}
