/// The most bytes that Apple's push service takes as one payload.
///
/// Counted on the final JSON in UTF-8. Source: Apple, "Generating a remote notification".
public struct PayloadLimit: Sendable, Equatable {
  /// The limit in bytes; a payload of exactly this size is still taken.
  public let bytes: Int

  package init(bytes: Int) {
    self.bytes = bytes
  }

  /// 4096 bytes: every push type but VoIP.
  public static let notification = PayloadLimit(bytes: 4096)

  /// 5120 bytes: push type `voip`.
  public static let voip = PayloadLimit(bytes: 5120)
}
