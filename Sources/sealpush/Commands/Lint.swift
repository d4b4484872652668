import PushPayload
import PushSealer

extension Command {
  static let lint = Command(
    name: ["lint"], summary: "check a payload before it is sent",
    details: """
      Reads a payload as it would go to APNs, sealed or not, and prints a line for each problem: what APNs or iOS
      would reject, what iOS would ignore, and what Apple and anyone else in transit can read. With --json each
      line is an object. A visible title is the sender's choice, and not reported. The exit status is 65 if
      something would be rejected; with --strict, if there is any problem at all.
      """,
    options: [
      .input, .json, .envelopeKey, .flag("--strict", "fail if there is any problem at all"),
    ]
  ) { (arguments, console) throws(ToolError) in
    let payload = try FileInput.payload(arguments["--in"])
    let findings = Lint(payload, envelopeKey: try arguments.envelopeKey()).findings
    let lines = findings.map { arguments.has("--json") ? $0.json : $0.text }
    try console.print(lines.map { $0 + "\n" }.joined())
    let failing = findings.filter { $0.isFault || arguments.has("--strict") }
    guard failing.isEmpty else {
      throw ToolError(.badData, "\(failing.count) of \(findings.count) findings must be fixed")
    }
  }
}
