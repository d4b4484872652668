import PushAttachments
import PushCore
import PushReceiver
import PushSimulation

extension Command {
  static let simulate = Command(
    name: ["simulate"], summary: "show what a phone would display for a payload",
    details: """
      The exit status is 0 whether the payload opens or not. With a deadline of 0 the time runs out before
      anything is opened. The JSON has ran, notRun, outcome (opened or degraded), reason, suite, shown, and
      attachments: the files that the phone would fetch. This command fetches nothing.

      If the payload names a text by its key, the key is shown, as in an app without strings. With --strings
      the text is localized as in an app with that Localizable.strings (text or binary) or String Catalog
      (.xcstrings). A key that has no text there is still shown itself.
      """,
    examples: [
      """
      sealpush simulate --keys device.jwks --senders sender.pub.jwks --topic com.example.app \\
          --in sealed.json --json
      """
    ],
    options: Receiver.options + [
      .optional(.deadline, "how long the extension has; default: 30s"),
      .optional(.strings, "the app's .strings or .xcstrings file, for texts named by key"),
      .optional(.language, "the phone's languages, such as de-AT,en; default: the .xcstrings file's own"),
      .json,
    ]
  ) { (arguments, console) throws(ToolError) in
    var receiver = try Receiver(from: arguments)
    receiver.strings = try AppStrings.load(from: arguments)
    let payload = try FileInput.payload(from: arguments[.input])
    let deadline = try arguments[.deadline] ?? .seconds(30)
    let simulation = await Simulation.deliver(payload, to: receiver, deadline: deadline)
    if arguments.has(.json) {
      try console.print(simulation.json.jsonLine)
    } else {
      try console.print(simulation.text)
    }
  }
}

extension Simulation {
  fileprivate var json: JSONObject {
    [
      "ran": .boolean(notRun == nil),
      "notRun": notRun.map { .string($0.rawValue) } ?? .null,
      "outcome": .string(isOpened ? "opened" : "degraded"),
      "reason": reason.map { .string($0.rawValue) } ?? .null,
      "suite": suite.map { .string($0.name) } ?? .null,
      "shown": .object(shown.json),
      "attachments": .array(attachments.map { .object($0.json) }),
    ]
  }

  fileprivate var text: String {
    var lines = [
      ("extension", notRun.map { "not run: \($0.rawValue)" } ?? "run"),
      ("outcome", isOpened ? "opened" : "degraded"),
    ]
    if let reason { lines.append(("reason", "\(reason.rawValue): \(reason.explanation)")) }
    if let suite { lines.append(("suite", suite.name)) }
    lines += [("title", shown.title), ("subtitle", shown.subtitle), ("body", shown.body)]
    lines += attachments.map { ("attachment", $0.text) }
    let userInfo = String(decoding: PropertyList.json(from: shown.userInfo).encoded(), as: UTF8.self)
    lines += [
      ("sound", shown.sound?.name ?? ""), ("badge", shown.badge.map(String.init) ?? ""),
      ("launch", shown.launchImageName), ("category", shown.category), ("thread", shown.threadIdentifier),
      ("filter", shown.filterCriteria ?? ""), ("user info", userInfo),
    ]
    return lines.filter { !$0.1.isEmpty }.map { Help.padded($0.0, to: 11) + Terminal.printable($0.1) + "\n" }
      .joined()
  }

  private var isOpened: Bool {
    switch outcome {
    case .opened?, .openedOther?: true
    case .degraded?, nil: false
    }
  }

  /// The message's suite; nil if it did not open, or has another system's format.
  private var suite: Suite? {
    if case .opened(let opened)? = outcome { opened.suite } else { nil }
  }

  private var reason: DegradeReason? {
    if case .degraded(let reason)? = outcome { reason } else { nil }
  }
}

extension Simulation.Attachment {
  fileprivate var json: JSONObject {
    ["type": .string(type.rawValue), "size": .number(JSONNumber(size)), "url": .string(url)]
  }

  fileprivate var text: String { "\(type.rawValue), \(size) bytes to fetch from \(url)" }
}

extension Option<Duration> {
  fileprivate static var deadline: Self { .duration("--deadline") }
}
