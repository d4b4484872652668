/// How long a message is good for after it was issued, in whole seconds, from 0 to 30 days.
///
/// APNs keeps a notification for an unreachable device at most 30 days. Zero means: now or never.
public struct Lifetime: Hashable, Sendable {
  /// 30 days: 2,592,000 seconds.
  public static let maximum = Lifetime(unchecked: 2_592_000)

  /// Now or never.
  public static let zero = Lifetime(unchecked: 0)

  /// The number of seconds.
  public let seconds: UInt32

  /// Takes a number of seconds; null below 0 and above 2,592,000.
  public init?(seconds: Int64) {
    guard (0...Int64(Self.maximum.seconds)).contains(seconds) else { return nil }
    self.seconds = UInt32(seconds)
  }

  private init(unchecked seconds: UInt32) { self.seconds = seconds }
}
