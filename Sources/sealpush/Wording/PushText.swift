import PushPayload
import PushSealer

extension Cut {
  /// What was cut, in a line.
  var text: String {
    switch self {
    case .dropped(let member): "dropped to make it fit: \(member)"
    case .truncatedBody(let kept, let size):
      "shortened to make it fit: the body, to \(kept) of its \(size) bytes"
    }
  }

  /// The same for a program: the member, and of the body how many of its bytes were kept.
  var json: JSONObject {
    switch self {
    case .dropped(let member): ["key": .string(member), "kept": 0]
    case .truncatedBody(let kept, let size):
      ["key": "aps.alert.body", "kept": .number(JSONNumber(kept)), "of": .number(JSONNumber(size))]
    }
  }
}

extension Lint.Finding {
  /// A line for a person: what it is, where, and what to do.
  var text: String {
    let advice = Lint.Visible(rawValue: code).map { ": \($0.advice)" } ?? ""
    return "\(isFault ? "error" : "warning"): \(Terminal.printable(key)): \(code)\(advice)"
  }

  /// The same for a program.
  var json: String {
    let object: JSONObject = [
      "severity": .string(isFault ? "error" : "warning"), "code": .string(code), "key": .string(key),
    ]
    return String(decoding: object.encoded(), as: UTF8.self)
  }
}

extension Lint.Visible {
  fileprivate var advice: String {
    switch self {
    case .notSealed: "anyone in transit can read all of it; seal it"
    case .extensionNotRun: "iOS shows only the placeholder; mutable-content must be the number 1"
    case .text: "anyone in transit can read it; seal it, and keep the placeholder"
    case .collapseID: "anyone in transit can read it; leave it out, and the message ID is used"
    case .arguments, .interruptionLevel, .relevanceScore, .badge, .sound, .thread, .category, .target,
      .customKey:
      "anyone in transit can read it; put it in the sealed payload only"
    }
  }
}
