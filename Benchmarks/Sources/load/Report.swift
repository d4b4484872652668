/// What a load did to the process.
struct Report: CustomStringConvertible {
  private let tally: Tally
  private let seconds: Double
  /// The least of each tenth of the second half, when the allocator's arenas have their number: what is in flight comes
  /// and goes.
  private let least: [Sample]
  private let resident: Trend
  private let allocated: Trend
  private let descriptors: Trend
  /// How many more descriptors are open after the load than before it, when nothing is in flight.
  private let moreDescriptors: Int

  init(_ samples: [Sample], moreDescriptors: Int, _ tally: Tally) {
    self.moreDescriptors = moreDescriptors
    self.tally = tally
    seconds = samples.last!.seconds
    let steady = samples.dropFirst(samples.count / 2)
    least = (0..<10).map { tenth in
      Sample.least(of: steady.dropFirst(steady.count * tenth / 10).prefix(steady.count / 10))
    }
    resident = Trend(least.map { ($0.seconds, Double($0.resident)) })
    allocated = Trend(least.map { ($0.seconds, Double($0.allocated)) })
    descriptors = Trend(least.map { ($0.seconds, Double($0.descriptors)) })
  }

  /// Nothing wrong, and neither memory nor descriptors that go up.
  var isSound: Bool {
    tally.wrong == 0 && tally.opened > 0 && tally.refused > 0 && resident.growth < 0.1
      && allocated.growth < 0.1 && descriptors.growth < 0.1 && moreDescriptors <= 0
  }

  var description: String {
    let pace = Double(tally.messages) / seconds
    return """

      \(tally.messages) messages by \(Load.tasks) tasks, \(Int(pace)) a second: \(tally.opened) opened, \
      \(tally.refused) spoilt and refused, \(tally.wrong) wrong
      in the second half of the time, the least of each tenth of it:
      resident memory: \(resident.bytes(pace)), \(resident.percent)
      allocated memory: \(allocated.bytes(pace)), \(allocated.percent)
      descriptors: \(least[0].descriptors) to \(least.last!.descriptors), \(descriptors.percent)
      descriptors when nothing is in flight, beside those before: \(moreDescriptors) more
      \(isSound ? "flat" : "NOT FLAT, or wrong")
      """
  }
}

/// The line of least squares through what was measured.
struct Trend {
  /// What a second adds.
  let slope: Double
  /// What the whole time adds, as a part of what there was.
  let growth: Double

  init(_ points: [(seconds: Double, value: Double)]) {
    let count = Double(points.count)
    let seconds = points.reduce(0) { $0 + $1.seconds } / count
    let value = points.reduce(0) { $0 + $1.value } / count
    let products = points.reduce(0) { $0 + ($1.seconds - seconds) * ($1.value - value) }
    slope = products / points.reduce(0) { $0 + ($1.seconds - seconds) * ($1.seconds - seconds) }
    let span = points.last!.seconds - points[0].seconds
    growth = slope * span / (value - slope * span / 2)
  }

  /// The slope of a line of bytes, with `pace` messages a second.
  func bytes(_ pace: Double) -> String {
    "\((slope * 60 / 1024).rounded(toPlaces: 2)) KB a minute, \((slope / pace).rounded(toPlaces: 3)) bytes a message"
  }

  /// The growth in words.
  var percent: String { "\((growth * 100).rounded(toPlaces: 2)) % in the time" }
}
