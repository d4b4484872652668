import PushCore
import PushSealer

extension Command {
  static let lint = Command(
    name: ["lint"], summary: "check a payload before it is sent",
    details: """
      Reads a payload byte for byte as it would go to APNs, sealed or not, and prints a line for each problem:
      what APNs or iOS would reject, what iOS would ignore, what the app would receive differently from how it
      was sent, and what Apple and anyone else in transit can read.

      It reports every member, at any depth, that a sealed push of this type never shows, and every visible
      value that one never has. A visible title is not reported, because the sender chooses it. Neither is the
      visible body, which is the same for every message: if yours is not (Encrypted), give it with --body.

      Without --push-type, a payload with event or content-state in aps is checked as a Live Activity's; any
      other may have the members of an alert or a background push. The limit is then 4096 bytes; for voip it
      is 5120.

      With --push-type fcm or fcm-data it reads an FCM message, or only its "data", as seal writes them. The
      limit is 4096 bytes of names and values. A "notification" is reported: Android shows it without the app.

      With --json each line is an object. The exit status is 65 if something would be rejected; with --strict,
      if there is any problem at all.
      """,
    examples: [
      "sealpush lint --in sealed.json --strict"
    ],
    options: [
      .input, .json, .envelopeKey, .pushType,
      .optional(.body, "the visible body that the sender chose; default: (Encrypted)"),
      .flag(.strict, "fail if there is any problem at all"),
    ]
  ) { (arguments, console) throws(ToolError) in
    let (type, envelopeKey) = (try arguments[.pushType], try arguments.envelopeKey())
    let bytes = try FileInput.read(from: arguments[.input])
    let payload = try FileInput.payload(parsing: bytes)
    let lint =
      type?.service == .fcm
      ? Lint(ofFCM: payload, envelopeKey: envelopeKey)
      : Lint(
        payload, size: bytes.count, pushType: type?.pushType, envelopeKey: envelopeKey,
        placeholderBody: arguments[.body] ?? SealingPolicy.standardBody)
    let findings = lint.findings
    let lines = findings.map { arguments.has(.json) ? $0.json.jsonLine : $0.text + "\n" }
    try console.print(lines.joined())
    let failing = findings.filter { $0.isFault || arguments.has(.strict) }
    guard failing.isEmpty else {
      throw ToolError(.badData, "\(failing.count) of \(findings.count) findings must be fixed")
    }
  }
}
