internal import PushCrypto

/// The key that follows from a Home Assistant webhook's secret, by one of two rules.
public struct HomeAssistantKey: Sendable {
  /// The 32 bytes.
  let bytes: SharedSecret

  private static let digitCount = 2 * XSalsa20Poly1305.keySize

  private init(_ bytes: consuming Secret) { self.bytes = SharedSecret(bytes) }

  /// The rule of core 2022.3 and later: a secret of 64 hexadecimal digits, in either case, is 32 bytes; null for
  /// anything else.
  public static func hexadecimal(_ secret: Span<UInt8>) -> HomeAssistantKey? {
    guard secret.count == digitCount else { return nil }
    var areDigits = true
    let key = Secret(count: XSalsa20Poly1305.keySize, in: .guarded) { key in
      for index in key.indices {
        let (high, low) = (nibble(of: secret[2 * index]), nibble(of: secret[2 * index + 1]))
        areDigits = areDigits && high != nil && low != nil
        key[index] = (high ?? 0) << 4 | (low ?? 0)
      }
    }
    return areDigits ? HomeAssistantKey(key) : nil
  }

  /// The rule before: the secret's first 32 characters are themselves the key, with zeros behind a shorter one;
  /// null for an empty secret.
  ///
  /// Of 64 hexadecimal digits half are left out, and the key has 128 bits of chance in it.
  public static func truncated(_ secret: Span<UInt8>) -> HomeAssistantKey? {
    guard !secret.isEmpty else { return nil }
    return HomeAssistantKey(
      Secret(count: XSalsa20Poly1305.keySize, in: .guarded) { key in
        for index in 0..<min(secret.count, key.count) { key[index] = secret[index] }
      })
  }

  private static func nibble(of digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - 48
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - 87
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - 55
    default: nil
    }
  }
}
