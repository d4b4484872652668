#if canImport(Glibc)
  private import Glibc
#elseif canImport(Darwin)
  private import Darwin
#endif

/// Times for people, in UTC.
extension UnixTime {
  /// As `2026-11-21 09:30:00`.
  package var calendarText: String {
    var seconds = time_t(seconds)
    var fields = unsafe tm()
    guard unsafe gmtime_r(&seconds, &fields) != nil else { return "\(self.seconds) s" }
    var buffer = [CChar](repeating: 0, count: 64)
    let count = unsafe strftime(&buffer, buffer.count, "%Y-%m-%d %H:%M:%S", &fields)
    return String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// As `2026-11-21T09:30:00Z`.
  package var iso8601: String { calendarText.split(separator: " ").joined(separator: "T") + "Z" }
}
