import PushPayload
import PushSealer

extension Command {
  static let lint = Command(
    name: ["lint"], summary: "look through a payload before it is sent",
    details: """
      Reads a payload as it would go to APNs, sealed or not, and writes a line for each thing to look at: what
      APNs or iOS would not take, what iOS would ignore, and what everybody on the way can read. With --json it
      is an object a line. A visible title is the sender's choice, and not judged. The exit status is 65 if there
      is something that would not be taken, and with --strict if there is anything at all.
      """,
    options: [
      .input, .json, .envelopeKey, .flag("--strict", "fail if there is anything to look at"),
    ]
  ) { (arguments, console) throws(ToolError) in
    let payload = try FileInput.payload(arguments["--in"])
    let findings = Lint(payload, envelopeKey: try arguments.envelopeKey()).findings
    let lines = findings.map { arguments.has("--json") ? $0.json : $0.text }
    try console.print(lines.map { $0 + "\n" }.joined())
    let failing = findings.filter { $0.isFault || arguments.has("--strict") }
    guard failing.isEmpty else {
      throw ToolError(.badData, "\(failing.count) of \(findings.count) findings must be mended")
    }
  }
}
