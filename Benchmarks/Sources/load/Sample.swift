import Footprint
import Glibc

/// What the process has at a moment.
struct Sample: CustomStringConvertible {
  /// Since the start.
  let seconds: Double
  let messages: Int
  /// The resident set, in bytes.
  private(set) var resident: Int
  /// What the allocator has handed out, in bytes.
  private(set) var allocated: Int
  /// The number of open descriptors, without that of the folder that lists them.
  private(set) var descriptors: Int

  init(after seconds: Double, messages: Int) {
    self.seconds = seconds
    self.messages = messages
    resident = Footprint.resident
    allocated = Footprint.allocated
    descriptors = Footprint.descriptors
  }

  /// The least of each figure, at the middle of the time.
  static func least(of samples: ArraySlice<Sample>) -> Sample {
    var least = samples[samples.startIndex + samples.count / 2]
    for sample in samples {
      least.resident = min(least.resident, sample.resident)
      least.allocated = min(least.allocated, sample.allocated)
      least.descriptors = min(least.descriptors, sample.descriptors)
    }
    return least
  }

  static let heading = "      s      messages   resident MB  allocated MB   descriptors"

  var description: String {
    let megabytes = [resident, allocated].map { (Double($0) / 0x10_0000).rounded(toPlaces: 2).description }
    let cells = [messages.description] + megabytes + [descriptors.description]
    return cells.reduce(Int(seconds.rounded()).description.padded(to: 7)) { $0 + $1.padded(to: 14) }
  }
}

extension String {
  fileprivate func padded(to width: Int) -> String {
    String(repeating: " ", count: max(0, width - count)) + self
  }
}

extension Double {
  /// With so many digits after the point.
  func rounded(toPlaces places: Int) -> Double {
    let scale = (0..<places).reduce(1.0) { scale, _ in scale * 10 }
    return (self * scale).rounded() / scale
  }
}
