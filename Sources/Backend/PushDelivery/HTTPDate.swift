internal import PushCore

/// The date of a header field, in the format that is not obsolete (RFC 9110, 5.6.7): `Sun, 06 Nov 1994 08:49:37 GMT`.
enum HTTPDate {
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// Reads a date from 1970 on; nil if the text is not such a date.
  ///
  /// The day of the week is not compared with the date.
  static func parse(_ text: String) -> UnixTime? {
    let parts = text.split(separator: " ", omittingEmptySubsequences: false)
    guard parts.count == 6, parts[0].utf8.count == 4, parts[0].hasSuffix(","), parts[5] == "GMT",
      let day = number(parts[1], digits: 2, in: 1...31), let month = months.firstIndex(of: String(parts[2])),
      let year = number(parts[3], digits: 4, in: 1970...9999)
    else { return nil }
    let time = parts[4].split(separator: ":", omittingEmptySubsequences: false)
    guard time.count == 3, let hour = number(time[0], digits: 2, in: 0...23),
      let minute = number(time[1], digits: 2, in: 0...59), let second = number(time[2], digits: 2, in: 0...60)
    else { return nil }
    let days = days(before: year, month: month) + day - 1
    return UnixTime(seconds: ((days * 24 + hour) * 60 + minute) * 60 + second)
  }

  private static func number(_ text: Substring, digits: Int, in range: ClosedRange<Int64>) -> Int64? {
    guard text.utf8.count == digits, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let number = Int64(text), range.contains(number)
    else { return nil }
    return number
  }

  /// The days from 1970-01-01 to the first day of a month, 0 to 11.
  private static func days(before year: Int64, month: Int) -> Int64 {
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let before: [Int64] = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334]
    let past = year - 1
    let leaps = past / 4 - past / 100 + past / 400 - (1969 / 4 - 1969 / 100 + 1969 / 400)
    return (year - 1970) * 365 + leaps + before[month] + (isLeap && month > 1 ? 1 : 0)
  }
}
