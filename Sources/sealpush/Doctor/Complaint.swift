import PushEnvelope
import PushKeys
import PushPayload

/// A line of the doctor's: what is wrong, and the command that mends it.
struct Complaint {
  let severity: KeyFinding.Severity
  let code: String
  let kid: Thumbprint?
  let message: String
  let mend: String

  /// For people.
  var text: String {
    let key = kid.map { " \($0.text)" } ?? ""
    return "\(severity.rawValue): \(code)\(key): \(Terminal.printable(message))\n"
      + "  mend: \(Terminal.printable(mend))\n"
  }

  /// For machines.
  var json: JSONObject {
    [
      "severity": .string(severity.rawValue), "code": .string(code),
      "kid": kid.map { .string($0.text) } ?? .null,
      "message": .string(message), "mend": .string(mend),
    ]
  }
}
