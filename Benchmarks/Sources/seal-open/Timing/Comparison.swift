/// Ways of doing an operation, and parts of it, that are timed in turns.
struct Comparison {
  /// Does the work as many times as is asked.
  typealias Work = (Int) async throws -> Void

  /// What is compared.
  let label: String

  /// What takes turns.
  let sides: [Side: Work]

  /// Takes turns in rounds of `length`, until `time` is used up; three rounds at least.
  func run(for time: Duration, rounds length: Duration = .milliseconds(200)) async throws -> Finding {
    let sides = Side.allCases.compactMap { side in self.sides[side].map { (side, $0) } }
    var counts: [Side: Int] = [:]
    for (side, work) in sides { counts[side] = try await Self.count(of: work, taking: length) }
    var turns: [Side: [Turn]] = [:]
    var roundCount = 0
    let clock = ContinuousClock()
    let start = clock.now
    while roundCount < 3 || clock.now - start < time {
      for (side, work) in sides {
        turns[side, default: []].append(try await Turn(counts[side] ?? 1, of: work))
      }
      roundCount += 1
    }
    return Finding(label: label, turns: turns)
  }

  /// How many times the work is done in a round, found by doing it, which warms up caches and clocks too.
  private static func count(of work: Work, taking length: Duration) async throws -> Int {
    var count = 1
    while true {
      let seconds = try await Turn(count, of: work).seconds * Double(count)
      if seconds >= (length / 2).inSeconds {
        return max(1, Int(Double(count) * length.inSeconds / seconds))
      }
      count *= 2
    }
  }
}
