private import Glibc
import PushEnvelope

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
