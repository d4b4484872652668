/// An operation of the product beside the bare primitives that it cannot do without, and libsodium's sealed box.
struct Comparison {
  /// Does the work as many times as is asked.
  typealias Work = (Int) throws -> Void

  /// What is compared.
  let label: String

  private let whole: Work
  private let bare: Work
  private let box: Work

  init(_ label: String, whole: @escaping Work, bare: @escaping Work, box: @escaping Work) {
    self.label = label
    self.whole = whole
    self.bare = bare
    self.box = box
  }

  /// Takes turns, whole, bare and box, in rounds of `length`, until `time` is used up; three rounds at least.
  func run(for time: Duration, rounds length: Duration = .milliseconds(200)) throws -> Finding {
    let wholeCount = try Self.count(of: whole, taking: length)
    let bareCount = try Self.count(of: bare, taking: length)
    let boxCount = try Self.count(of: box, taking: length)
    var wholes: [Double] = []
    var bares: [Double] = []
    var boxes: [Double] = []
    let clock = ContinuousClock()
    let start = clock.now
    while wholes.count < 3 || clock.now - start < time {
      wholes.append(try Self.time(whole, wholeCount))
      bares.append(try Self.time(bare, bareCount))
      boxes.append(try Self.time(box, boxCount))
    }
    return Finding(wholes: wholes, bares: bares, boxes: boxes)
  }

  /// How many times the work is done in a round, found by doing it, which warms up caches and clocks too.
  private static func count(of work: Work, taking length: Duration) throws -> Int {
    var count = 1
    while true {
      let seconds = try time(work, count) * Double(count)
      if seconds >= (length / 2).inSeconds {
        return max(1, Int(Double(count) * length.inSeconds / seconds))
      }
      count *= 2
    }
  }

  /// Seconds for one operation, on average of a round.
  private static func time(_ work: Work, _ count: Int) throws -> Double {
    let duration = try ContinuousClock().measure { try work(count) }
    return duration.inSeconds / Double(count)
  }
}

extension Duration {
  var inSeconds: Double { self / .seconds(1) }
}
