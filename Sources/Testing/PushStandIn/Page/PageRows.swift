package import PushCore
internal import PushHost
internal import PushKeys
internal import PushReceiver
internal import PushSimulation

/// What the page shows of a push.
extension LoggedPush {
  /// A row of the page.
  var row: JSONObject {
    [
      "number": .number(JSONNumber(number)), "id": .string(messageID.text),
      "seconds": .number(JSONNumber(time.seconds)), "phone": .string(phone ?? ""),
      "apple": .string(seenByApple),
      "person": .string(seenByPerson), "why": .string(why), "mood": .string(mood),
    ]
  }

  /// Everything that is kept of a push.
  var details: JSONObject {
    [
      "id": .string(messageID.text), "size": .number(JSONNumber(size)), "token": .string(token),
      "deliveries": .number(JSONNumber(deliveries)),
      "headers": .array(headers.map { .array([.string($0.name), .string($0.value)]) }),
      "payload": .string(String(decoding: payload, as: UTF8.self)),
    ]
  }

  /// The parts that can be read without a key: the visible texts, and the length of the sealed part.
  public var seenByApple: String {
    guard let payload = try? JSONObject(parsing: payload.span) else {
      return "\(size) bytes that are not JSON"
    }
    let visible = ShownContent(unopened: payload)
    let sealed = EnvelopeKey.default.value(in: payload)?.string
    let lines =
      [visible.title, visible.subtitle, visible.body]
      + [sealed.map { "sealed: \($0.utf8.count) characters" } ?? "nothing is sealed"]
    return lines.filter { !$0.isEmpty }.joined(separator: "\n")
  }

  /// The lines that the person sees; empty if nothing is shown.
  public var seenByPerson: String {
    guard let seen, seen.isVisible else { return "" }
    return [seen.title, seen.subtitle, seen.body].filter { !$0.isEmpty }.joined(separator: "\n")
  }

  private var mood: String {
    switch fate {
    case .refused, .failed, .discarded: "bad"
    case .waiting, .delivered: "wait"
    case .shown: seen?.degraded != nil ? "bad" : seen?.original != nil ? "wait" : "good"
    case .handedToApp: "good"
    }
  }
}

/// What the page shows besides pushes.
extension APNsModel {
  /// The phones, and the faults that are still to happen.
  var pageState: JSONObject {
    [
      "phones": .array(
        phones.map { phone in
          var object = phone.json
          object["app"] = app(named: phone.name).map { .object($0.json) }
          return .object(object)
        }),
      "faults": .array(faults.lines.map { .string($0.description) }),
    ]
  }
}

extension StandInPhone {
  /// The tokens of the push types that have their own, by the type's name.
  package var otherTokens: JSONObject {
    var tokens: JSONObject = [:]
    for kind in TokenKind.allCases where kind != .app {
      tokens[kind.rawValue] = .string(token(of: kind).text)
    }
    return tokens
  }

  fileprivate var json: JSONObject {
    [
      "name": .string(name), "topic": .string(topic.text), "environment": .string(environment.rawValue),
      "token": .string(token.text), "tokens": .object(otherTokens), "on": .boolean(isOn),
      "locked": .boolean(isLocked),
      "power": .string(power.rawValue),
      "screen": .array(screen.map { .string($0.title.isEmpty ? $0.body : "\($0.title): \($0.body)") }),
    ]
  }
}
