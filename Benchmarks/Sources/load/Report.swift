/// What a load did to the process.
struct Report: CustomStringConvertible {
  private let tally: Tally
  /// Those after the first fifth of the time, when buffers and caches have their size.
  private let steady: [Sample]
  private let resident: Trend
  private let allocated: Trend

  init(_ samples: [Sample], _ tally: Tally) {
    self.tally = tally
    steady = Array(samples.dropFirst(samples.count / 5))
    resident = Trend(steady.map { ($0.seconds, Double($0.resident)) })
    allocated = Trend(steady.map { ($0.seconds, Double($0.allocated)) })
  }

  /// Nothing wrong, and neither memory nor descriptors that go up.
  var isSound: Bool {
    tally.wrong == 0 && tally.opened > 0 && tally.refused > 0
      && steady.last!.descriptors <= steady[0].descriptors
      && [resident, allocated].allSatisfy { $0.growth < 0.1 }
  }

  var description: String {
    let pace = Double(tally.messages) / steady.last!.seconds
    return """

      \(tally.messages) messages by \(Load.tasks) tasks, \(Int(pace)) a second: \(tally.opened) opened, \
      \(tally.refused) spoilt and refused, \(tally.wrong) wrong
      after the first fifth of the time:
      resident memory: \(resident.description(pace))
      allocated memory: \(allocated.description(pace))
      descriptors: \(steady[0].descriptors), at the end \(steady.last!.descriptors), at most \
      \(steady.map(\.descriptors).max()!)
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
