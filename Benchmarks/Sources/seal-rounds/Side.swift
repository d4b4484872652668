import Footprint

/// One way to seal.
struct Side {
  /// How many messages are sealed between two looks at the clock.
  let pace: Int

  /// Seals as many messages as it is asked to.
  let work: (Int) async throws -> Void

  /// Seals until `time` is used up.
  func run(for time: Duration) async throws -> Round {
    let clock = ContinuousClock()
    let start = clock.now
    let processorStart = Footprint.processorTime
    var count = 0
    repeat {
      try await work(pace)
      count += pace
    } while clock.now - start < time
    return Round(count: count, taken: clock.now - start, processor: Footprint.processorTime - processorStart)
  }
}

/// What a side did.
struct Round {
  /// How many messages were sealed.
  let count: Int

  /// The time that they took by the clock.
  let taken: Duration

  /// The processors' time that they took, in seconds, of all threads together.
  let processor: Double
}
