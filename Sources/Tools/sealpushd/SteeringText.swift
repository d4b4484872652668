internal import PushCommands
internal import PushCore
internal import PushStore

extension Steering {
  /// The pauses and limits as members of an object, which lacks what there is none of.
  var members: [(String, JSONValue)] {
    var members: [(String, JSONValue)] = []
    if !pauses.isEmpty { members.append(("paused", .array(pauses.map { .object($0.json) }))) }
    if !rates.isEmpty {
      members.append(("rates", .array(sortedRates.map { .object($1.json(of: $0)) })))
    }
    return members
  }

  /// The pauses and limits, a line each.
  var text: String {
    pauses.map { "paused: \($0.scope.words), since \($0.since.calendarText)\n" }.joined()
      + sortedRates.map { "limited: \($0.text) to \($1.words)\n" }.joined()
  }

  /// The limits in the order of their topics.
  var sortedRates: [(Topic, RateLimit)] { rates.sorted { $0.key.text < $1.key.text }.map { ($0, $1) } }
}

extension Steering.Pause {
  /// It as an object.
  var json: JSONObject {
    var object: JSONObject = ["since": .number(JSONNumber(since.seconds))]
    object["topic"] = scope.topic.map { .string($0.text) }
    object["environment"] = scope.environment.map { .string($0.rawValue) }
    return object
  }
}

extension RateLimit {
  /// It as an option takes it.
  var words: String {
    let seconds = time.components.seconds
    for (unit, size): (String, Int64) in [("d", 86_400), ("h", 3600), ("m", 60)] where seconds % size == 0 {
      return "\(count)/\(seconds / size)\(unit)"
    }
    return "\(count)/\(seconds)s"
  }

  /// It as an object.
  func json(of topic: Topic) -> JSONObject {
    [
      "topic": .string(topic.text), "count": .number(JSONNumber(count)),
      "seconds": .number(JSONNumber(time.components.seconds)),
    ]
  }
}

extension RouteScope {
  /// It, for people.
  var words: String { "\(topic?.text ?? "all apps")\(environment.map { " in \($0.rawValue)" } ?? "")" }
}
