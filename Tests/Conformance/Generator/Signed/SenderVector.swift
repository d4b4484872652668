import PushCore

/// A sender's signed set, and what a device makes of it.
struct SenderVector {
  let id: String
  let comment: String
  var rule: String?
  var topic = SignedSetForge.topic
  let text: String
  /// How many spaces are behind the text.
  var spaces = 0
  /// The set that the device has.
  var atHand: String?
  /// The roots that the app has, if they are others than the file's.
  var pinned: JSONObject?
  let expect: String
  /// What is said of a good one.
  var facts: JSONObject = [:]

  var json: JSONObject {
    var object: JSONObject = ["id": .string(id), "comment": .string(comment)]
    object["rule"] = rule.map(JSONValue.string)
    object["topic"] = .string(topic)
    object["text"] = .string(text)
    if spaces > 0 { object["spaces"] = .number(JSONNumber(spaces)) }
    object["atHand"] = atHand.map(JSONValue.string)
    object["pinned"] = pinned.map(JSONValue.object)
    object["expect"] = .string(expect)
    for (name, value) in facts { object[name] = value }
    return object
  }
}

/// Makes senders' sets.
struct SenderVectors {
  let pairs: SigningPairs
  let keys: PublicKeys

  func all() throws -> [SenderVector] {
    try good() + goodForms() + pinned() + common() + endFaults() + signerFaults() + keyFaults()
      + topicFaults() + sizes()
      + replacements()
  }

  var forge: SignedSetForge { SignedSetForge(sender: [keys.sender], by: pairs.root) }

  func accepted(
    _ name: String, _ comment: String, expect: String = "accepted",
    _ change: (inout SignedSetForge) -> Void = { _ in }
  ) throws -> SenderVector {
    var forge = forge
    change(&forge)
    var facts = forge.facts("signer")
    facts["issuedAt"] = .number(JSONNumber(forge.issuedAt))
    facts["expiresAt"] = .number(JSONNumber(forge.expiresAt))
    return SenderVector(
      id: "senders-\(name)", comment: comment, text: try forge.text(), expect: expect, facts: facts)
  }

  func refused(_ fault: SetFault) throws -> SenderVector {
    var forge = forge
    fault.change(&forge)
    return SenderVector(
      id: "senders-\(fault.name)", comment: fault.comment, rule: fault.rule, text: try forge.text(),
      expect: fault.reason)
  }

  private func common() throws -> [SenderVector] {
    try (SetFault.common + SetFault.keys).map(refused)
  }

  private func sizes() throws -> [SenderVector] {
    let text = try forge.text()
    let most = 65_536 - text.utf8.count
    return [
      SenderVector(
        id: "senders-65537", comment: "one byte too many to be looked at", rule: "11.1", text: text,
        spaces: most + 1,
        expect: "too-large"),
      SenderVector(
        id: "senders-65536", comment: "not too large: so it is the spaces that are wrong", rule: "11.2",
        text: text,
        spaces: most, expect: "malformed-jws"),
    ]
  }
}
