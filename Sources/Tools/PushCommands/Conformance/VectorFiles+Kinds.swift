import PushCore

extension VectorFiles {
  /// A kind of question that is not about a message to show.
  struct Kind {
    /// What the question has in `as`.
    let name: String
    /// Where the vectors are.
    let file: String, list: String
    /// The members of a vector that are asked about; the first is the text that may have spaces at its end.
    let members: [String]
    /// The members of the files' keys that the question has, too.
    var keys: [String] = []

    static let all: [Kind] = [
      Kind(
        name: "senders", file: "signed", list: "senders", members: ["text", "topic", "atHand", "pinned"],
        keys: ["roots"]), enrolment(in: "signed"), registration(in: "signed"),
      Kind(
        name: "set-message", file: "signed", list: "messages", members: ["text", "topic", "now", "payload"],
        keys: ["roots", "keys"]),
      Kind(name: "leave", file: "signed", list: "leaves", members: ["leave", "topic", "audience", "lines"]),
      Kind(
        name: "receipt", file: "signed", list: "receipts", members: ["receipt", "topic", "audience", "sent"]),
      Kind(
        name: "tokens", file: "signed", list: "tokens",
        members: ["tokens", "topic", "audience", "lines", "before"]),
      Kind(
        name: "request", file: "signed", list: "requests",
        members: ["payload", "topic", "now", "audience", "identity"], keys: ["keys", "senders"]),
      Kind(
        name: "memory", file: "memory", list: "vectors",
        members: ["payload", "topic", "now", "pushType", "capacity", "before"], keys: ["keys", "senders"]),
      Kind(name: "set", file: "sets", list: "sets", members: ["set", "fill"]),
      Kind(name: "set", file: "xwing", list: "sets", members: ["set", "private"]), enrolment(in: "xwing"),
      registration(in: "xwing"), enrolment(in: "fcm"), registration(in: "fcm"),
    ]

    private static func enrolment(in file: String) -> Kind {
      Kind(
        name: "enrolment", file: file, list: "enrolments",
        members: ["enrolment", "topic", "audience", "challenge", "services"])
    }

    private static func registration(in file: String) -> Kind {
      Kind(
        name: "registration", file: file, list: "registrations",
        members: [
          "lines", "name", "enrolment", "audience", "proof", "challenge", "person", "joins", "keyAlone",
          "lacks", "services",
        ])
    }
  }

  /// What comes of something that is not refused; and `refused` of a set, which has no reason.
  private static let results: Set = [
    "accepted", "unchanged", "pending", "registered", "updated", "read", "removed", "answered", "opened",
    "first",
    "duplicate", "not-checked", "refused",
  ]

  mutating func append(_ list: JSONValue?, as kind: Kind, ring: JSONObject) throws(ToolError) {
    guard let vectors = list?.array else {
      throw ToolError(.badData, "\(kind.file).json has no \(kind.list)")
    }
    for vector in vectors {
      guard let vector = vector.object, let id = vector["id"]?.string, let expect = vector["expect"]?.string
      else { throw ToolError(.badData, "\(kind.file).json has an invalid vector") }
      var line: JSONObject = ["id": .string(id), "as": .string(kind.name)]
      for name in kind.members { line[name] = vector[name] }
      for name in kind.keys { line[name] = ring[name] }
      if let count = vector["spaces"]?.number?.integer {
        line[kind.members[0]] = line[kind.members[0]]?.with(spaces: Int(count))
      }
      questions.append(
        Question(
          file: kind.file, id: id, rule: vector["rule"]?.string, rareSuite: nil, kindToSkip: kind.name,
          line: line,
          expected: Self.results.contains(expect) ? .result(expect) : .reason(expect)))
    }
  }
}

extension JSONValue {
  /// A text, or the last one of an array, with so many spaces at its end.
  fileprivate func with(spaces count: Int) -> JSONValue {
    guard var texts = array else { return .string((string ?? "") + String(repeating: " ", count: count)) }
    if let last = texts.popLast() { texts.append(last.with(spaces: count)) }
    return .array(texts)
  }
}
