/// What a number of seconds since 1970 was meant to be, where it can hardly be that.
///
/// A time in milliseconds would be in the year 5138 or later. A time counted from 2001, as Foundation's
/// `timeIntervalSinceReferenceDate` and `JSONEncoder` count, would be from 1990 to 2006 if it was counted from 1970.
package enum MistakenTime: Sendable {
  /// Milliseconds since 1970: 10^11 or more.
  case milliseconds
  /// Seconds since 2001, of the years 2021 to 2037: from 631,152,000 to 1,167,609,599.
  case since2001

  /// What a time looks like; nil if it may be right.
  package init?(_ time: UnixTime) {
    switch time.seconds {
    case 100_000_000_000...: self = .milliseconds
    case 631_152_000..<1_167_609_600: self = .since2001
    default: return nil
    }
  }
}
