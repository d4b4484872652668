import PushCore
import PushKeys
import PushTesting
import TestSupport

/// Makes receipts of Ada's phone: [11.31] to [11.33].
struct ReceiptVectors {
  private let pairs: SigningPairs
  private let enrolments: EnrolmentVectors

  init(pairs: SigningPairs, keys: PublicKeys) {
    self.pairs = pairs
    enrolments = EnrolmentVectors(pairs: pairs, keys: keys)
  }

  private static let one = id("one"), two = id("two"), three = id("three")

  private static func id(_ label: String) -> String { MessageID(Forge.messageID(of: label))?.text ?? "" }

  func all() throws -> [StatementVector] {
    let good = forge([Self.one])
    return try accepted() + shown() + StatementVector.others(.receipt, good: good, sent)
      + StatementVector.sizes(
        accepted("32768", "as long as a receipt may be, with white space", good), .receipt)
      + (StatementFault.members(of: .receipt)
      + StatementFault.signed(.receipt, enrolments.headerFaults, by: pairs)
      + StatementFault.audiences(of: .receipt) + messageFaults).map {
        StatementVector($0, .receipt, good: good, sent)
      }
  }

  private func forge(_ messages: [String], by identity: SigningPair? = nil) -> StatementForge {
    StatementForge(
      .receipt, by: identity ?? pairs.identity, claiming: ("messages", Self.array(messages)))
  }

  private static func array(_ messages: [String]) -> String {
    "[" + messages.map(\.quoted).joined(separator: ",") + "]"
  }

  /// What the backend has sent, and to whom.
  private var sent: JSONObject {
    let messages = [
      (Self.one, pairs.identity), (Self.two, pairs.identity), (Self.three, pairs.otherIdentity),
    ]
    return [
      "sent": .array(messages.map { ["id": .string($0), "identity": .string($1.kid)] })
    ]
  }

  private func accepted(
    _ name: String, _ comment: String, _ forge: StatementForge, shown: [String] = [one],
    isPassedOver: Bool = false
  ) -> StatementVector {
    StatementVector(
      id: "receipt-\(name)", comment: comment, rule: isPassedOver ? "11.33" : nil, setting: sent,
      forge: forge,
      expect: "accepted", result: ["shown": .array(shown.map(JSONValue.string))])
  }

  private func accepted() throws -> [StatementVector] {
    let most = [Self.one] + (1..<500).map { Self.id("message \($0)") }
    var anyTopic = accepted("topic-any", "the backend serves any app", forge([Self.one]))
    anyTopic.topic = nil
    var more = forge([Self.one])
    for (name, json) in [("exp", "1"), ("serial", "0"), ("keys", "[]")] {
      more.signed.claims.append(name, json)
    }
    var spaced = forge([Self.one])
    spaced.changeText = \.spacedText
    var clock = forge([Self.one])
    clock.signed.issuedAt = 0
    return [
      accepted("plain", "the plain case: a message", forge([Self.one])),
      accepted("500", "as many messages as there may be", forge(most), isPassedOver: true), anyTopic,
      accepted("claims-more", "claims that it does not have are ignored", more),
      accepted("space", "with white space", spaced), accepted("clock", "the clock went back", clock),
    ]
  }

  /// [11.33]: what is passed over, and what is not.
  private func shown() -> [StatementVector] {
    [
      accepted("two", "two messages", forge([Self.two, Self.one]), shown: [Self.two, Self.one]),
      accepted(
        "others", "a message that was sealed to another device is passed over",
        forge([Self.three, Self.one]),
        isPassedOver: true),
      accepted(
        "unknown", "a message that the backend does not know is passed over",
        forge([Self.id("unknown"), Self.two]), shown: [Self.two], isPassedOver: true),
      accepted(
        "none", "none of them is known, and that is no error", forge([Self.id("unknown")]), shown: [],
        isPassedOver: true),
      accepted(
        "stranger", "an identity that nobody has", forge([Self.one], by: pairs.thirdIdentity), shown: [],
        isPassedOver: true),
    ]
  }

  private var messageFaults: [StatementFault] {
    let one = Self.one
    let values: [(String, String?, String)] = [
      ("absent", nil, "not there"), ("string", one.quoted, "no array"), ("null", "null", "nothing"),
      ("empty", "[]", "no message"), ("twice", Self.array([one, Self.two, one]), "one of them twice"),
      ("501", Self.array((0...500).map { Self.id("message \($0)") }), "one too many"),
      ("number", "[1]", "a number"), ("upper-case", Self.array([one.uppercased()]), "in upper case"),
      ("digits", Self.array([one.split(separator: "-").joined()]), "without hyphens"),
      ("braces", Self.array(["{\(one)}"]), "in braces"),
      ("short", Self.array([String(one.dropLast())]), "cut"),
      ("letter", Self.array([one.dropLast() + "g"]), "no hexadecimal digit"),
    ]
    let twice = StatementFault.claim("twice", of: .receipt, "`iat` twice, the second one as an escape") {
      $0.append("\\u0069at", "0")
    }
    return [twice]
      + values.map { id, value, comment in
        StatementFault.claim("messages-\(id)", of: .receipt, "`messages`: \(comment)") {
          $0["messages"] = value
        }
      }
  }
}
