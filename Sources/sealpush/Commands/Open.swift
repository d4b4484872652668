import PushPayload
import PushReceiver

extension Command {
  static let open = Command(
    name: ["open"], summary: "open a sealed payload",
    details: """
      Writes the payload that was sealed, exactly. If it does not open, nothing is written, the reason is on
      standard error, and the exit status is 65. With --data it opens what an app itself asks for, such as a
      VoIP push or the state of a Live Activity.
      """,
    options: Receiver.options + [.flag("--data", "open data and no notification"), .output, .force]
  ) { (arguments, console) throws(ToolError) in
    let receiver = try Receiver(arguments)
    let payload = try Payloads.read(arguments["--in"])
    let message: OpenedMessage
    do throws(DegradeReason) {
      let key = receiver.envelopeKey
      message =
        try arguments.has("--data")
        ? receiver.openData(EnvelopeField(data: payload, envelopeKey: key))
        : receiver.open(IncomingPush(payload: payload, envelopeKey: key))
    } catch {
      throw ToolError(.badData, "\(error.rawValue): \(error.explanation)", hint: error.remedy)
    }
    try FileOutput.write(
      message.json, to: arguments["--out"], replaces: arguments.has("--force"), isPrivate: true, console)
  }
}
