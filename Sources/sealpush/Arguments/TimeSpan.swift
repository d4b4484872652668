/// Lengths of time as people write them.
enum TimeSpan {
  private static let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86400]

  /// The seconds of a number with s, m, h or d behind it, or with nothing for seconds.
  static func seconds(_ text: String) throws(TimeSpanError) -> Int64 {
    let unit = text.last.flatMap { units[$0] }
    guard let number = number(unit == nil ? text[...] : text.dropLast()) else { throw .malformed }
    let (seconds, overflow) = number.multipliedReportingOverflow(by: unit ?? 1)
    guard !overflow else { throw .tooLong }
    return seconds
  }

  /// A number in digits alone.
  static func number(_ digits: Substring) -> Int64? {
    digits.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? Int64(digits) : nil
  }
}

/// Why a text is no length of time.
enum TimeSpanError: Error {
  /// It is no number, or has another unit.
  case malformed
  /// It has more seconds than 64 bits hold.
  case tooLong
}
