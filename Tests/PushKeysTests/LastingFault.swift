import PushKeys
import Testing

/// A private set of an identity or a root with one fault, and the expected error.
struct LastingFault: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let text: String
  let error: KeySetError

  init(_ name: String, _ text: String, _ error: KeySetError) {
    testDescription = name
    self.text = text
    self.error = error
  }

  private static let good = PushKeysTests.text(KeySet(generating: .root, at: start))
  private static let device = PushKeysTests.text(Kind.x25519.makeSet())
  private static let other = keyTexts(PushKeysTests.text(KeySet(generating: .root, at: start)))

  private static func role(_ value: String?) -> Self {
    Self(
      "role \(value ?? "missing")", good.setting("role", to: value),
      .invalidSetMember(value == nil ? "serial" : "role"))
  }

  private static func serial(_ value: String?) -> Self {
    Self("serial \(value ?? "missing")", good.setting("serial", to: value), .invalidSetMember("serial"))
  }

  static let all: [Self] = [
    role(nil), role("1"), role("null"), role(#""""#), role(#""device""#), role(#""sender""#),
    role(#""shared""#),
    role(#""Root""#), role(#"["root"]"#),
    serial(nil), serial("-1"), serial("9007199254740992"), serial("1.0"), serial("1e3"), serial(#""1""#),
    serial("null"), serial("18446744073709551617"),
    Self(
      "a device's key", device.setting("v", to: #"1,"role":"root","serial":0"#), .mixedRoles),
    Self("no key", #"{"v":1,"role":"root","serial":0,"keys":[]}"#, .empty),
    Self(
      "two active keys",
      #"{"role":"root","serial":0,"keys":[\#((keyTexts(good) + other).joined(separator: ","))]}"#,
      .twoActiveKeys),
    Self("no active key", good.setting("status", to: #""accepted""#), .noActiveKey),
    Self("a next key beside it", withNext, .misplacedNextKey),
    Self("a role twice", good.setting("role", to: #""root","role":"root""#), .json(duplicate)),
  ]

  private static let withNext: String = {
    let keys = keyTexts(good) + [other[0].setting("status", to: #""next""#)]
    return #"{"role":"root","serial":0,"keys":[\#(keys.joined(separator: ","))]}"#
  }()

  private static let duplicate = JSONParts.error(good.setting("role", to: #""root","role":"root""#))
}
