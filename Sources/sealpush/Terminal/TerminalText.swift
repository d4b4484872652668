import PushEnvelope

#if canImport(Glibc)
  private import Glibc
#elseif canImport(Darwin)
  private import Darwin
#endif

/// Text for a person's terminal.
enum Terminal {
  /// What makes one emoji of several.
  private static let zeroWidthJoiner: Unicode.Scalar = "\u{200d}"

  /// The text with control characters and direction overrides made visible: a message must not steer the
  /// operator's terminal.
  static func printable(_ text: String) -> String {
    var printable = ""
    for scalar in text.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .format where scalar == zeroWidthJoiner:
        printable.unicodeScalars.append(scalar)
      case .control, .format, .lineSeparator, .paragraphSeparator:
        printable += "\\u{\(String(scalar.value, radix: 16))}"
      default: printable.unicodeScalars.append(scalar)
      }
    }
    return printable
  }
}

/// Times for people, in UTC.
enum CalendarTime {
  /// As `2026-11-21 09:30:00`.
  static func text(_ time: UnixTime) -> String {
    var seconds = time_t(time.seconds)
    var fields = unsafe tm()
    guard unsafe gmtime_r(&seconds, &fields) != nil else { return "\(time.seconds) s" }
    var buffer = [CChar](repeating: 0, count: 64)
    let count = unsafe strftime(&buffer, buffer.count, "%Y-%m-%d %H:%M:%S", &fields)
    return String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
