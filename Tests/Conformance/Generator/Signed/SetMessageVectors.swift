import PushCore
import PushKeys
import TestSupport

/// A message to a device that has a sender's signed set, and what the device makes of it.
struct SetMessageVector {
  let id: String
  let comment: String
  /// The rule that it breaks, and the reason.
  var fault: (rule: String, reason: String)?
  /// The set.
  let text: String
  let now: Int64
  let payload: JSONObject

  var json: JSONObject {
    var object: JSONObject = ["id": .string(id), "comment": .string(comment)]
    object["rule"] = (fault?.rule).map(JSONValue.string)
    object["topic"] = .string(SignedSetForge.topic)
    object["text"] = .string(text)
    object["now"] = .number(JSONNumber(now))
    object["payload"] = .string(payload.text)
    object["expect"] = .string(fault?.reason ?? "opened")
    return object
  }
}

/// Messages before and after the end of the set that the device has.
struct SetMessageVectors {
  let pairs: SigningPairs
  let keys: PublicKeys
  let device: VectorKeys

  private static let end = SignedSetForge.end
  /// How long a message of the longest lifetime opens, with the clocks' difference.
  private static let longest: Int64 = 2_592_000 + 300

  func all() throws -> [SetMessageVector] {
    let (end, unknown) = (Self.end, ("5.8", "unknown-sender"))
    return [
      try vector("before", "a message of the set's time", issuedAt: SignedSetForge.moment),
      try vector("at-end", "issued in the last second", issuedAt: end),
      try vector(
        "opened-late", "issued in the last second, and opened in the last second of its lifetime",
        issuedAt: end,
        now: end + Self.longest),
      try vector(
        "too-late", "whoever back-dates his messages to the last second is done by then", ("5.10", "expired"),
        issuedAt: end, now: end + Self.longest + 1),
      try vector("after-end", "issued a second after the end", unknown, issuedAt: end + 1),
      try vector(
        "slow-clock", "issued a second after the end, where it is not over yet: it takes no clock", unknown,
        issuedAt: end + 1, now: end - 200),
      try vector(
        "future", "issued after the end, and in the future: the end comes first", unknown, issuedAt: end + 1,
        now: end - 1000),
      try vector(
        "after-end-signature", "issued after the end, with a wrong signature: the end comes first", unknown,
        issuedAt: end + 1
      ) { $0.changeSignature = { [$0[0] ^ 1] + $0.dropFirst() } },
      try vector(
        "at-end-signature", "issued in the last second, with a wrong signature", ("5.9", "bad-signature"),
        issuedAt: end
      ) { $0.changeSignature = { [$0[0] ^ 1] + $0.dropFirst() } },
      try vector(
        "ended-before", "under a set that ended before it was signed", unknown,
        issuedAt: SignedSetForge.moment,
        expiresAt: 1),
      try vector(
        "later-end", "issued after that end, under a set with the same keys that ends a second later",
        issuedAt: end + 1, expiresAt: end + 1),
      try vector("anonymous", "nobody signed it, so no set ends for it", issuedAt: end + 1) {
        $0.signer = nil
      },
    ]
  }

  private func vector(
    _ name: String, _ comment: String, _ fault: (String, String)? = nil, issuedAt: Int64, now: Int64? = nil,
    expiresAt: Int64 = SetMessageVectors.end, _ change: (inout Forge) -> Void = { _ in }
  ) throws -> SetMessageVector {
    var set = SignedSetForge(sender: [keys.sender], by: pairs.root)
    set.expiresAt = expiresAt
    var forge = Forge(
      "set-\(name)", to: try device.recipient(.x25519ChaChaPoly), from: try device.sender.signingKey())
    forge.issuedAt = UInt64(issuedAt)
    change(&forge)
    return SetMessageVector(
      id: "set-\(name)", comment: comment, fault: fault.map { (rule: $0.0, reason: $0.1) },
      text: try set.text(),
      now: now ?? issuedAt + 60, payload: try forge.payload())
  }
}
