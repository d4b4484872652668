package import PushCore

/// Times in the tables: seconds since 1970, with a fraction where an engine wrote them.
package enum StoreTime {
  /// The first time that is not allowed: the year 10000.
  ///
  /// A time that was written in milliseconds by mistake lies after it.
  package static let end = UnixTime(clamping: 253_402_300_800)

  package static let rule = "seconds since 1970, before the year 10000"

  /// Reads the time in a column's text; nil if it is not one.
  package static func seconds(in text: some StringProtocol) -> Double? {
    // Swift also reads hexadecimal digits.
    guard !text.utf8.contains(where: { $0 | 0x20 == UInt8(ascii: "x") }), let seconds = Double(text),
      seconds >= 0, seconds < Double(end.seconds)
    else { return nil }
    return seconds
  }

  /// A column's time without its fraction, clamped to what a time can be.
  package static func unixTime(seconds: Double) -> UnixTime {
    UnixTime(seconds: Int64(exactly: seconds.rounded(.down)) ?? -1) ?? UnixTime(clamping: 0)
  }
}

extension Duration {
  /// The whole and broken seconds.
  package var inSeconds: Double {
    Double(components.seconds) + Double(components.attoseconds) / 1_000_000_000_000_000_000
  }

  /// The time this long after 1970, without its fraction.
  package var unixTime: UnixTime { UnixTime(clamping: components.seconds) }
}
