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
