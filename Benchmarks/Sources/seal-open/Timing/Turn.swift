import Footprint

/// What one operation took, on average of a round.
struct Turn {
  /// How long, in seconds.
  let seconds: Double

  /// How much of the processors' time, of all threads together, in seconds: for work on one thread a better measure,
  /// because it leaves out what other programs take.
  let processor: Double

  /// Times `count` operations.
  init(_ count: Int, of work: Comparison.Work) async throws {
    let processorStart = Footprint.processorTime
    let duration = try await ContinuousClock().measure { try await work(count) }
    seconds = duration.inSeconds / Double(count)
    processor = (Footprint.processorTime - processorStart) / Double(count)
  }
}

extension Duration {
  var inSeconds: Double { self / .seconds(1) }
}
