/// What a load did to the process.
struct Report: CustomStringConvertible {
  private let tally: Tally
  private let seconds: Double
  /// The least of each tenth of the second half, when the allocator's arenas have their number: what is in flight comes
  /// and goes.
  private let least: [Sample]
  private let resident: Trend
  private let allocated: Trend

  init(_ samples: [Sample], _ tally: Tally) {
    self.tally = tally
    seconds = samples.last!.seconds
    let steady = samples.dropFirst(samples.count / 2)
    least = (0..<10).map { tenth in
      Sample.least(of: steady.dropFirst(steady.count * tenth / 10).prefix(steady.count / 10))
    }
    resident = Trend(least.map { ($0.seconds, Double($0.resident)) })
    allocated = Trend(least.map { ($0.seconds, Double($0.allocated)) })
  }

  /// Nothing wrong, and neither memory nor descriptors that go up.
  var isSound: Bool {
    tally.wrong == 0 && tally.opened > 0 && tally.refused > 0 && resident.growth < 0.1
      && allocated.growth < 0.1
      && least.last!.descriptors <= least[0].descriptors
  }

  var description: String {
    let pace = Double(tally.messages) / seconds
    return """

      \(tally.messages) messages by \(Load.tasks) tasks, \(Int(pace)) a second: \(tally.opened) opened, \
      \(tally.refused) spoilt and refused, \(tally.wrong) wrong
      in the second half of the time, the least of each tenth of it:
      resident memory: \(resident.description(pace))
      allocated memory: \(allocated.description(pace))
      descriptors: \(least[0].descriptors), at the end \(least.last!.descriptors)
      \(isSound ? "flat" : "NOT FLAT, or wrong")
      """
  }
}

/// The line of least squares through what was measured.
struct Trend {
  /// What a second adds, in bytes.
  let slope: Double
  /// What the whole time adds, as a part of what there was.
  let growth: Double

  init(_ points: [(seconds: Double, bytes: Double)]) {
    let count = Double(points.count)
    let seconds = points.reduce(0) { $0 + $1.seconds } / count
    let bytes = points.reduce(0) { $0 + $1.bytes } / count
    let products = points.reduce(0) { $0 + ($1.seconds - seconds) * ($1.bytes - bytes) }
    slope = products / points.reduce(0) { $0 + ($1.seconds - seconds) * ($1.seconds - seconds) }
    let span = points.last!.seconds - points[0].seconds
    growth = slope * span / (bytes - slope * span / 2)
  }

  /// The line in words, with `pace` messages a second.
  func description(_ pace: Double) -> String {
    "\((slope * 60 / 1024).rounded(toPlaces: 2)) KB a minute, \((slope / pace).rounded(toPlaces: 3)) bytes a message, "
      + "\((growth * 100).rounded(toPlaces: 2)) % in the time"
  }
}
