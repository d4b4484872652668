import PushCore
import PushKeys
import Testing

/// Private sets with one fault each.
enum PrivateFaults {
  private static let good = text(of: .x25519)
  private static let p256 = text(of: .p256)
  private static let other = keyTexts(PushKeysTests.text(Kind.x25519.makeSet(seed: 9)))[0]
  private static let orderOfP256 = "_____wAAAAD__________7zm-q2nF56E87nKwvxjJVE"
  private static let zero = String(repeating: "A", count: 43)

  private static let wrongKeyID = KeySetError.wrongKeyID(
    index: 0, thumbprint: Kind.x25519.makeSet().records[0].id)

  private static func text(of kind: Kind) -> String { PushKeysTests.text(kind.makeSet()) }

  private static func invalid(_ name: String, _ member: String, _ value: String?, in text: String = good)
    -> KeySetFault
  {
    KeySetFault(name, text.setting(member, to: value), .invalidMember(index: 0, member: member))
  }

  static let all: [KeySetFault] = [
    KeySetFault("nothing", "", .json(JSONParts.endOfNothing)),
    KeySetFault("a byte order mark", "\u{feff}" + good, .json(JSONParts.byteOrderMark)),
    KeySetFault("an array", "[]", .notAKeySet),
    KeySetFault("no keys", #"{"v":1}"#, .notAKeySet),
    KeySetFault("keys that are no array", #"{"v":1,"keys":{}}"#, .notAKeySet),
    KeySetFault("a key that is no object", #"{"v":1,"keys":[1]}"#, .notAKeySet),
    KeySetFault("an empty array", #"{"v":1,"keys":[]}"#, .empty),
    KeySetFault("version 2", good.setting("v", to: "2"), .unsupportedVersion),
    KeySetFault("version 0", good.setting("v", to: "0"), .unsupportedVersion),
    KeySetFault("version 1.0", good.setting("v", to: "1.0"), .unsupportedVersion),
    KeySetFault("a version in quotes", good.setting("v", to: #""1""#), .unsupportedVersion),
    KeySetFault(
      "a newer set, with what only it knows", #"{"v":2,"keys":[{"kty":"AKP"}],"new":1}"#, .unsupportedVersion),
    KeySetFault(
      "an unknown member", #"{"v":1,"name":7,"keys":[]}"#, .unknownMember(index: nil, member: "name")),
    KeySetFault(
      "a serial of a device's", good.setting("v", to: #"1,"serial":7"#), .invalidSetMember("serial")),
    KeySetFault(
      "an unknown member of a key", good.setting("use", to: #""enc","x5c":[]"#),
      .unknownMember(index: 0, member: "x5c")),
    KeySetFault(
      "an unknown member with a name as long as a secret", good.setting("use", to: #""enc","\#(zero)":1"#),
      .unknownMember(index: 0, member: "…")),
    KeySetFault("no private member", good.setting("d", to: nil), .missingPrivateKey(index: 0)),
    KeySetFault(
      "another public key", good.setting("x", to: quoted(other.member("x"))), .keyMismatch(index: 0)),
    KeySetFault(
      "another private key", good.setting("d", to: quoted(other.member("d"))), .keyMismatch(index: 0)),
    KeySetFault("another kid", good.setting("kid", to: quoted(other.member("kid"))), wrongKeyID),
    KeySetFault("a short kid", good.setting("kid", to: #""mine""#), wrongKeyID),
    KeySetFault("a key twice", setText(keyTexts(good) + keyTexts(good)), .duplicateKey),
    KeySetFault(
      "a device's and a sender's key", setText(keyTexts(good) + keyTexts(text(of: .sender))), .mixedRoles),
    KeySetFault("two active keys", setText(keyTexts(good) + [other]), .twoActiveKeys),
    KeySetFault("no active key", good.setting("status", to: #""accepted""#), .noActiveKey),
    KeySetFault(
      "no active key of one suite",
      setText(keyTexts(good) + keyTexts(p256.setting("status", to: #""accepted""#))), .noActiveKey),
    invalid("kty that is not the curve's", "crv", #""P-256""#),
    invalid("kty of RSA", "kty", #""RSA""#),
    invalid("no kty", "kty", nil),
    invalid("no crv", "crv", nil),
    invalid("another suite's alg", "alg", #""HPKE-7""#),
    invalid("no alg", "alg", nil),
    invalid("a sender's use", "use", #""sig""#),
    invalid("no use", "use", nil),
    invalid("no kid", "kid", nil),
    invalid("kid that is a number", "kid", "1"),
    invalid("no x", "x", nil),
    invalid("x with padding", "x", quoted(good.member("x") + "=")),
    invalid("x of 31 bytes", "x", quoted(String(good.member("x").prefix(42)))),
    invalid("x of small order", "x", quoted(zero)),
    invalid("x with bits after its last byte", "x", quoted(good.member("x").dropLast() + "_")),
    invalid("no y", "y", nil, in: p256),
    invalid("a point beside the curve", "x", quoted(zero), in: p256),
    KeySetFault(
      "y of a curve that has none", good.setting("use", to: #""enc","y":"\#(zero)""#),
      .invalidMember(index: 0, member: "y")),
    invalid("d of zero", "d", quoted(zero)),
    invalid("d of zero on P-256", "d", quoted(zero), in: p256),
    invalid("d that is P-256's order", "d", quoted(orderOfP256), in: p256),
    invalid("d of 31 bytes", "d", quoted(String(good.member("d").prefix(42)))),
    invalid("d of 33 bytes", "d", quoted(good.member("d") + "A")),
    invalid("d with padding", "d", quoted(good.member("d").dropLast() + "=")),
    invalid("d with bits after its last byte", "d", quoted(good.member("d").dropLast() + "_")),
    invalid("d that is a number", "d", "1"),
    invalid("no iat", "iat", nil),
    invalid("iat before 1970", "iat", "-1"),
    invalid("iat of 2^53", "iat", "9007199254740992"),
    invalid("iat with a fraction", "iat", "1.5"),
    invalid("iat in quotes", "iat", #""1700000000""#),
    KeySetFault(
      "exp that is null", good.setting("iat", to: "1,\"exp\":null"), .invalidMember(index: 0, member: "exp")),
    KeySetFault(
      "nbf that is true", good.setting("iat", to: "1,\"nbf\":true"), .invalidMember(index: 0, member: "nbf")),
    invalid("no status", "status", nil),
    invalid("a status that is unknown", "status", #""retired""#),
    KeySetFault(
      "a fault of the second key", setText(keyTexts(p256) + keyTexts(good.setting("use", to: nil))),
      .invalidMember(index: 1, member: "use")),
  ]
}

/// The JSON reader's errors for a few texts.
enum JSONParts {
  static let endOfNothing = error("")
  static let byteOrderMark = error("\u{feff}{}")

  /// The error for a text that is not JSON.
  static func error(_ text: String) -> JSONError {
    do throws(JSONError) {
      _ = try JSONValue(parsing: Array(text.utf8).span)
    } catch {
      return error
    }
    preconditionFailure("the text is JSON")
  }
}

/// A text as a JSON string.
func quoted(_ text: String) -> String { "\"\(text)\"" }
