extension Sample? {
  /// What a cell says of what was not measured.
  private static var blank: String { "–" }

  /// The median as a whole number.
  var count: String { map { String(Int($0.median.rounded())) } ?? Self.blank }

  /// The median with a few digits after the point.
  func decimal(_ digits: Int) -> String { map { $0.median.decimal(digits) } ?? Self.blank }

  /// The spread in per cent.
  var spread: String { map { (100 * $0.spread).decimal(1) + "%" } ?? Self.blank }
}

extension Double {
  /// The number with a few digits after the point.
  func decimal(_ digits: Int) -> String {
    let scale = (0..<digits).reduce(1) { power, _ in power * 10 }
    let scaled = Int((self * Double(scale)).rounded())
    let fraction = String(scaled.magnitude % scale.magnitude)
    let sign = scaled < 0 ? "-" : ""
    return "\(sign)\(scaled.magnitude / scale.magnitude)."
      + String(repeating: "0", count: digits - fraction.count) + fraction
  }
}
