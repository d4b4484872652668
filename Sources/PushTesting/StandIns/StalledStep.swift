public import PushReceiver

/// A step after opening that waits for ever for something that does not come, such as an avatar.
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

  /// Returns when a receiver has begun with the step: the text is safe, and the clock may be moved.
  public func waitUntilBegun() async { await begun.wait() }
}
