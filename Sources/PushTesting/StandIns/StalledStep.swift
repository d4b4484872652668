public import PushReceiver

/// A step after opening that waits forever for something that never arrives, such as an avatar.
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

  /// Returns when a receiver has started the step: the text is safe, and the test may move the clock.
  public func waitUntilBegun() async { await begun.wait() }
}
