/// What the rounds of a comparison say.
struct Finding {
  /// Whole operations a second.
  let whole: Sample

  /// Rounds of bare primitives a second.
  let bare: Sample

  /// How many times as long as the bare primitives the whole operation takes, round by round: what else the
  /// machine does hits both sides of one round alike.
  let ratio: Sample

  /// How many times as fast as libsodium's sealed box the whole operation is, round by round.
  let pace: Sample

  /// Takes the seconds that an operation took in each round.
  init(wholes: [Double], bares: [Double], boxes: [Double]) {
    whole = Sample(wholes.map { 1 / $0 })
    bare = Sample(bares.map { 1 / $0 })
    ratio = Sample(zip(wholes, bares).map { $0 / $1 })
    pace = Sample(zip(wholes, boxes).map { $1 / $0 })
  }
}

/// Figures of the same thing, at least one.
struct Sample {
  private let sorted: [Double]

  init(_ values: [Double]) { sorted = values.sorted() }

  var median: Double { quantile(0.5) }

  /// Half of the distance between the quartiles, as a part of the median.
  var spread: Double { (quantile(0.75) - quantile(0.25)) / 2 / median }

  private func quantile(_ part: Double) -> Double {
    let position = part * Double(sorted.count - 1)
    let index = Int(position)
    let next = min(index + 1, sorted.count - 1)
    return sorted[index] + (sorted[next] - sorted[index]) * (position - Double(index))
  }
}
