import PushCore

/// A file of registrations, and what becomes of it when an enrolment comes, or when it is read.
struct RegistrationVector {
  let id: String
  let comment: String
  var rule: String?
  /// The rule that a line breaks in itself.
  var inner: String?
  var lines: [String]
  /// How many spaces are behind the last line.
  var spaces = 0
  /// The enrolment, and the name under which it comes; null of a file that is read.
  var enrolment: (name: String, text: String)?
  /// The challenge that the backend issued to a fresh login for this name; null without a login.
  var challenge: String?
  /// Whose login it is; null where that does not matter.
  var person: String?
  /// Whether the challenge joins the registration's persons, and does not replace them.
  var joins = false
  /// Whether the backend has the key proven, and not the token.
  var isKeyAlone = false
  /// The suites whose algorithms the backend's system does not have.
  var lacks: [String] = []
  /// The services that the backend delivers through, if it is not APNs alone.
  var services: [String]?
  let expect: String
  /// The request, and the key that it is for; null where nothing is pending.
  var request: (kid: String, content: String)?
  /// The lines afterwards; null where nothing is changed.
  var after: [String]?

  var json: JSONObject {
    var object: JSONObject = ["id": .string(id), "comment": .string(comment)]
    object["rule"] = rule.map(JSONValue.string)
    object["inner"] = inner.map(JSONValue.string)
    object["lines"] = .array(lines.map(JSONValue.string))
    if spaces > 0 { object["spaces"] = .number(JSONNumber(spaces)) }
    object["name"] = enrolment.map { .string($0.name) }
    object["enrolment"] = enrolment.map { .string($0.text) }
    if enrolment != nil {
      object["audience"] = .string(SignedSetForge.audience)
      object["proof"] = .string(RegistrationVectors.proof)
    }
    object["challenge"] = challenge.map(JSONValue.string)
    object["person"] = person.map(JSONValue.string)
    if joins { object["joins"] = true }
    if isKeyAlone { object["keyAlone"] = true }
    if !lacks.isEmpty { object["lacks"] = .array(lacks.map(JSONValue.string)) }
    object["services"] = services.map { .array($0.map(JSONValue.string)) }
    object["expect"] = .string(expect)
    object["request"] = request.map { ["kid": .string($0.kid), "content": .string($0.content)] }
    object["after"] = after.map { .array($0.map(JSONValue.string)) }
    return object
  }
}
