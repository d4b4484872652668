/// One way to seal.
struct Side {
  /// How many messages are sealed between two looks at the clock.
  let pace: Int

  /// Seals as many messages as it is asked to.
  let work: (Int) async throws -> Void

  /// Seals until `time` is used up, and gives the number of messages and the time that they took.
  func run(for time: Duration) async throws -> (count: Int, taken: Duration) {
    let clock = ContinuousClock()
    let start = clock.now
    var count = 0
    repeat {
      try await work(pace)
      count += pace
    } while clock.now - start < time
    return (count, clock.now - start)
  }
}
