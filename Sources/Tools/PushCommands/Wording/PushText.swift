import PushCore
import PushSealer

extension Cut {
  /// What was cut, on one line.
  var text: String {
    switch self {
    case .dropped(let member): "dropped to make it fit: \(member)"
    case .truncatedBody(let kept, let size):
      "shortened to make it fit: the body, to \(kept) of its \(size) bytes"
    }
  }

  /// What was cut, for a program: the member and, for the body, how many bytes were kept.
  var json: JSONObject {
    switch self {
    case .dropped(let member): ["key": .string(member), "kept": 0]
    case .truncatedBody(let kept, let size):
      ["key": "aps.alert.body", "kept": .number(JSONNumber(kept)), "of": .number(JSONNumber(size))]
    }
  }
}

extension Lint.Finding {
  /// The finding on one line: what it is, where, and what to do.
  var text: String {
    let advice = advice.map { ": \($0)" } ?? ""
    return "\(isFault ? "error" : "warning"): \(Terminal.printable(key)): \(code)\(advice)"
  }

  private var advice: String? {
    guard code != Lint.tooLarge else {
      return key == "data"
        ? "FCM accepts 4096 bytes of names and values"
        : "APNs accepts 4096 bytes, and 5120 with the push type voip"
    }
    guard code != Lint.reservedName else {
      return "FCM does not accept this name; choose another --envelope-key"
    }
    return Lint.Visible(rawValue: code)?.advice ?? PayloadWarning.Code(rawValue: code)?.advice
  }

  /// The finding for a program.
  var json: JSONObject {
    [
      "severity": .string(isFault ? "error" : "warning"), "code": .string(code), "key": .string(key),
    ]
  }
}

extension Lint.Visible {
  fileprivate var advice: String {
    switch self {
    case .notSealed: "there is no envelope, so anyone in transit can read all of it; seal it"
    case .notAnEnvelope:
      "it is not a SealedPush envelope, so anyone in transit may be able to read it; seal it"
    case .notification: "Android shows it without the app; leave it out"
    case .extensionNotRun: "iOS shows only the placeholder; mutable-content must be the number 1"
    case .text: "anyone in transit can read it; seal it, and keep the placeholder"
    case .collapseID: "anyone in transit can read it; leave it out, and the message ID is used"
    case .value:
      "anyone in transit can read it, and no sealed push has this value; put it in the sealed payload only"
    case .localizationKey, .arguments, .launchImage, .interruptionLevel, .relevanceScore, .badge, .sound,
      .thread, .category, .target, .state, .attributes, .customKey, .member:
      "anyone in transit can read it; put it in the sealed payload only"
    }
  }
}

extension PayloadWarning.Code {
  /// What the app gets in place of the value, and what to do.
  fileprivate var advice: String? {
    switch self {
    case .nullDropped: "userInfo cannot hold null, so the app does not get it; leave it out"
    case .numberAsText:
      "userInfo cannot hold this number, so the app gets its digits as a string; send a string"
    case .numberRounded:
      "userInfo cannot hold this number exactly, so the app gets the nearest double; send a string"
    case .equivalentKey:
      "userInfo treats it and an earlier key as the same, and keeps only the last; rename one"
    default: nil
    }
  }
}
