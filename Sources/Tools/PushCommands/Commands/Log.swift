import PushCore
import PushReceiver

extension Command {
  static let log = Command(
    name: ["log"], summary: "show a device's log of pushes that were not opened",
    details: """
      Prints when a push was last opened, and with which suite. Then it prints a line for each push that was
      not opened, oldest first, what to do about them, and how many arrived in other systems' envelopes. Times
      are UTC.

      With --json it prints one object per line: first those of kind degraded, step or note, then one of kind
      format for each format seen, and last one of kind opened, unless no push was ever opened.
      """,
    examples: [
      "sealpush log push.log"
    ],
    options: [.operand(.file, "the log, as DiagnosticsLog writes it", file: .input), .json]
  ) { (arguments, console) throws(ToolError) in
    let path = try arguments.required(.file)
    let bytes = try FileInput.read(from: path)
    let record: DiagnosticsRecord
    do throws(ReceiverFileError) {
      record = try DiagnosticsRecord(parsing: bytes.span)
    } catch .laterVersion {
      throw ToolError(
        .badData, "\(path) was written by a newer version", hint: "use a newer sealpush")
    } catch {
      throw ToolError(.badData, "\(path) is not a diagnostics log, or is damaged")
    }
    try console.print(arguments.has(.json) ? record.lines : record.text)
  }
}

extension DiagnosticsRecord {
  /// The record as JSON, one object per line.
  fileprivate var lines: String {
    let objects = entries.map(\.json) + formats.map(\.json) + (lastOpened.map { [$0.json] } ?? [])
    return objects.map { $0.jsonLine }.joined()
  }

  fileprivate var text: String {
    let last =
      lastOpened.map { last in
        let suite = last.suite.map { ", with \($0.name)" } ?? ""
        return
          "\(last.time.iso8601), message \(last.messageID.text)\(suite), \(last.count) in all"
      } ?? "never"
    let counts = formats.isEmpty ? "" : "\n" + TextTable.text(of: [FormatCount.head] + formats.map(\.row))
    return "last opened: \(last)\n" + counts + (entries.isEmpty ? "" : "\n\(notes)\n\(explanations)")
  }

  private var notes: String { TextTable.text(of: [["TIME", "WHAT", "KEY", "MESSAGE"]] + entries.map(\.row)) }

  /// What each code means and what to do about it, each code once.
  private var explanations: String {
    var seen: Set<String> = []
    return entries.filter { seen.insert($0.code).inserted }.map { entry in
      let code = Terminal.printable(entry.code)
      guard let explanation = entry.explanation else { return "\(code): not known to this version\n" }
      return "\(code): \(explanation)\n" + (entry.remedy.map { "  \($0)\n" } ?? "")
    }.joined()
  }
}

extension DiagnosticsRecord.LastOpened {
  fileprivate var json: JSONObject {
    [
      "kind": "opened", "time": .number(JSONNumber(time.seconds)), "message": .string(messageID.text),
      "suite": suite.map { .string($0.name) } ?? .null, "count": .number(JSONNumber(count)),
    ]
  }
}

extension FormatCount {
  fileprivate static var head: [String] { ["FORMAT", "LAST SEEN", "OPENED", "FAILED", "TOO LATE"] }

  fileprivate var row: [String] {
    [
      Terminal.printable(name), time.iso8601, String(opened), String(failed),
      String(expired),
    ]
  }

  fileprivate var json: JSONObject {
    [
      "kind": "format", "format": .string(name), "time": .number(JSONNumber(time.seconds)),
      "opened": .number(JSONNumber(opened)), "failed": .number(JSONNumber(failed)),
      "over": .number(JSONNumber(expired)),
    ]
  }
}

extension DiagnosticsEntry {
  fileprivate var json: JSONObject {
    var object: JSONObject = [:]
    switch event {
    case .degraded(let reason): object = ["kind": "degraded", "reason": .string(reason)]
    case .stepFailed(let step, let failure):
      object = ["kind": "step", "step": .string(step), "failure": .string(failure)]
    case .noted(let note): object = ["kind": "note", "note": .string(note)]
    }
    object["time"] = .number(JSONNumber(time.seconds))
    if let format { object["format"] = .string(format) }
    if let formatFault { object["fault"] = .string(formatFault) }
    object["key"] = keyID.map { .string($0.text) } ?? .null
    object["message"] = messageID.map { .string($0.text) } ?? .null
    return object
  }

  fileprivate var row: [String] {
    let detail = [format, formatFault].compactMap { $0 }.joined(separator: ": ")
    let what =
      if case .stepFailed(let step, _) = event {
        "\(code) (\(step))"
      } else {
        detail.isEmpty ? code : "\(code) (\(detail))"
      }
    return [
      time.iso8601, Terminal.printable(what), keyID?.text ?? "-", messageID?.text ?? "-",
    ]
  }

  /// The event's code.
  fileprivate var code: String {
    switch event {
    case .degraded(let reason): reason
    case .stepFailed(_, let failure): "step-\(failure)"
    case .noted(let note): note
    }
  }

  /// What the code means; nil if this version does not know it.
  fileprivate var explanation: String? {
    switch event {
    case .degraded: degradeReason?.explanation
    case .stepFailed(_, let failure): StepFailure(code: failure).explanation
    case .noted(let note): DiagnosticsNote(rawValue: note)?.explanation
    }
  }

  fileprivate var remedy: String? {
    guard case .noted(let note) = event else { return degradeReason?.remedy }
    return DiagnosticsNote(rawValue: note)?.remedy
  }
}

extension DiagnosticsNote {
  fileprivate var explanation: String {
    switch self {
    case .replayNotChecked: "the replay store failed, so replayed messages could not be detected"
    case .keysUnavailable: "a key could not be read, for another reason than a locked phone"
    case .logBegunAnew: "the log was damaged; its entries are lost"
    }
  }

  fileprivate var remedy: String? {
    switch self {
    case .replayNotChecked: "its folder must exist, in the app group's container, and be writable"
    case .keysUnavailable: "check the key file's permissions, the app group and the keychain's access group"
    case .logBegunAnew: nil
    }
  }
}
