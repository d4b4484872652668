private import PushCrypto
public import Testing

extension Trait where Self == ConditionTrait {
  /// Only where this system's libraries have ML-KEM, as Debian 13's.
  public static var needsMLKEM: Self {
    .enabled(if: XWing().isAvailable, "OpenSSL 3.5 and later have ML-KEM")
  }

  /// Only where this system's libraries do not have ML-KEM, as Debian 12's.
  public static var lacksMLKEM: Self {
    .disabled(if: XWing().isAvailable, "OpenSSL 3.5 and later have ML-KEM")
  }
}
