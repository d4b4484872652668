#if canImport(Darwin)
  private import Darwin
#else
  private import Foundation
#endif

/// The time since the phone was started, for what happens once a start.
public enum BootSession {
  /// A name of the present one, which no other has; empty if the system does not tell.
  public static var current: String {
    #if canImport(Darwin)
      // A UUID in text.
      var text = [CChar](repeating: 0, count: 64)
      var size = text.count - 1
      guard unsafe sysctlbyname("kern.bootsessionuuid", &text, &size, nil, 0) == 0 else { return "" }
      return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    #else
      let text = try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
      return text.map { String($0.prefix { !$0.isWhitespace }) } ?? ""
    #endif
  }
}
