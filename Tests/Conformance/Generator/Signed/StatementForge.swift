import PushCore

/// Makes what an identity signs besides its keys, step by step: a leave, a receipt, or the device's other tokens.
struct StatementForge {
  /// What it says; the raw value is the member that has it.
  enum Kind: String {
    case leave
    case receipt
    case tokens

    /// The `typ` of its header.
    var type: String { "sealed-push-\(rawValue)+jws" }

    /// The reason if the object around it is malformed.
    var malformed: String { "malformed-\(rawValue)" }

    /// The rule of the object around it, and that of what is signed.
    var rules: (outer: String, signed: String, claims: String) {
      switch self {
      case .leave: ("11.25", "11.26", "11.26")
      case .receipt: ("11.31", "11.32", "11.32")
      case .tokens: ("11.34", "11.35", "11.36")
      }
    }

    /// The claims that a set has, too.
    fileprivate var claims: [String] {
      switch self {
      case .leave: ["v", "topic", "serial", "iat", "audience"]
      case .receipt: ["v", "topic", "iat", "audience"]
      case .tokens: ["v", "topic", "environment", "serial", "iat", "audience"]
      }
    }
  }

  let kind: Kind
  /// What is signed: a set without keys, of another type.
  var signed: SignedSetForge
  var changeMembers: (inout RawObject) -> Void = { _ in }
  var changeText: (RawObject) -> String = { $0.text }

  /// A statement with the claim of its own, if it has one.
  init(_ kind: Kind, by identity: SigningPair, claiming claim: (name: String, json: String)? = nil) {
    self.kind = kind
    signed = SignedSetForge(device: [], by: identity)
    signed.header["typ"] = kind.type.quoted
    signed.claims = RawObject(kind.claims.map { [signed] in ($0, signed.claims[$0] ?? "") })
    if kind.claims.contains("serial") { signed.serial = RegistrationVectors.later }
    if let claim { signed.claims[claim.name] = claim.json }
  }

  func text() throws -> String {
    let signed = String(decoding: JSONValue.string(try signed.text()).encoded(), as: UTF8.self)
    var object = RawObject([("v", "1"), (kind.rawValue, signed)])
    changeMembers(&object)
    return changeText(object)
  }
}
