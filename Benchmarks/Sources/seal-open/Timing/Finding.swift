/// What the rounds of a comparison say.
struct Finding {
  /// What was compared.
  let label: String

  private let turns: [Side: [Turn]]

  /// Takes what an operation of each side took in each round; every side has all rounds.
  init(label: String, turns: [Side: [Turn]]) {
    self.label = label
    self.turns = turns
  }

  /// Operations a second; of the processor's time, if the side has one thread.
  func rate(_ side: Side) -> Sample? {
    sample(side) { 1 / (side == .allCores ? $0.seconds : $0.processor) }
  }

  /// Microseconds of the processor's time for one operation.
  func time(_ side: Side) -> Sample? { sample(side) { $0.processor * 1e6 } }

  /// How many processors it had, on average: fewer than it could use, where other programs want them too.
  func processors(_ side: Side) -> Sample? { sample(side) { $0.processor / $0.seconds } }

  /// How many times as long as `other` a side takes, round by round: what else the machine does hits all sides of
  /// one round alike.
  func ratio(_ side: Side, to other: Side) -> Sample? {
    guard let turns = turns[side], let others = self.turns[other] else { return nil }
    let hasManyThreads = side == .allCores || other == .allCores
    return Sample(
      zip(turns, others).map { hasManyThreads ? $0.seconds / $1.seconds : $0.processor / $1.processor })
  }

  /// Microseconds that those of `parts` that were timed leave of the whole, round by round.
  func rest(without parts: [Side]) -> Sample? {
    guard let wholes = turns[.whole] else { return nil }
    let columns = parts.compactMap { turns[$0] }
    return Sample(
      wholes.enumerated().map { round, whole in
        columns.reduce(whole.processor) { $0 - $1[round].processor } * 1e6
      })
  }

  private func sample(_ side: Side, _ value: (Turn) -> Double) -> Sample? {
    turns[side].map { Sample($0.map(value)) }
  }
}
