import PushCore

/// The results of testing an opener.
struct ConformanceReport {
  /// A vector with a wrong answer.
  struct Fault {
    let question: VectorFiles.Question
    let answer: String
  }

  private(set) var faults: [Fault] = []
  /// The vectors that were answered with `unsupported-suite`, for a suite that not every system has.
  private var unsupported: [Fault] = []
  /// The kinds of questions that the opener does not answer.
  private var unknownKinds: [(file: String, kind: String)] = []
  /// How many right answers do not say what is shown.
  private(set) var withoutShown = 0
  private var suitesThatOpened: Set<String> = []
  private var passed: [String: Int] = [:]
  private var files: [String] = []

  /// How many answers were right.
  var passedCount: Int { passed.values.reduce(0, +) }

  mutating func note(_ question: VectorFiles.Question, answer line: [UInt8]) {
    if !files.contains(question.file) { files.append(question.file) }
    let object = try? JSONObject(parsing: line.span, maximumDepth: 64)
    let (said, answer) = (object.flatMap(VectorFiles.Answer.init), String(decoding: line, as: UTF8.self))
    let isMoreRight = question.more.allSatisfy { object?[$0.key].map($0.value.isSame) ?? true }
    if said == question.expected, isMoreRight {
      passed[question.file, default: 0] += 1
      if question.more["shown"] != nil, object?["shown"] == nil {
        withoutShown += 1
      }
      if case .opened = question.expected, let suite = question.rareSuite { suitesThatOpened.insert(suite) }
    } else if object?["unsupported"] == true, let kind = question.kindToSkip {
      unknownKinds.append((question.file, kind))
    } else if question.rareSuite != nil, said == .reason("unsupported-suite") {
      unsupported.append(Fault(question: question, answer: answer))
    } else {
      faults.append(Fault(question: question, answer: answer))
    }
  }

  /// Call this after the last answer: an opener that has a suite must not report it as unsupported.
  mutating func finish() {
    let isFault = { (fault: Fault) in suitesThatOpened.contains(fault.question.rareSuite ?? "") }
    faults += unsupported.filter(isFault)
    unsupported.removeAll(where: isFault)
  }

  /// As text: each fault, then each file's count.
  var text: String {
    let lines = faults.map { fault in
      let rule = fault.question.rule.map { " [\($0)]" } ?? ""
      let answer = Terminal.printable(String(fault.answer.prefix(100)))
      return
        "\(fault.question.file) \(fault.question.id)\(rule): \(fault.question.expected.text), not \(answer)\n"
    }
    let counts = files.map { file in
      let failed = faults.count { $0.question.file == file }
      let unchecked = unsupported.filter { $0.question.file == file }
      let note = unchecked.first?.question.rareSuite.map {
        ", \(unchecked.count) not checked: the opener's system does not have \($0)"
      }
      let more = (note ?? "") + kinds(of: file)
      return "\(file): \(passed[file] ?? 0) passed, \(failed) failed\(more)\n"
    }
    return (lines + counts).joined()
  }

  /// The kinds of questions of a file that the opener does not answer, with their numbers.
  private func kinds(of file: String) -> String {
    let kinds = unknownKinds.filter { $0.file == file }.map(\.kind)
    return Set(kinds).sorted().map { kind in
      ", \(kinds.count { $0 == kind }) not answered: the opener does not know the kind \(kind)"
    }.joined()
  }

  /// As JSON.
  var json: JSONObject {
    [
      "passed": .number(JSONNumber(passedCount)), "failed": .number(JSONNumber(faults.count)),
      "unchecked": .number(JSONNumber(unsupported.count)),
      "unsupported": .number(JSONNumber(unknownKinds.count)),
      "withoutShown": .number(JSONNumber(withoutShown)),
      "faults": .array(
        faults.map { fault in
          [
            "file": .string(fault.question.file), "id": .string(fault.question.id),
            "rule": fault.question.rule.map { .string($0) } ?? .null,
            "expected": .string(fault.question.expected.text), "answer": .string(fault.answer),
          ]
        }),
    ]
  }
}

extension VectorFiles.Answer {
  /// The expected answer, in short.
  fileprivate var text: String {
    switch self {
    case .opened: "opened"
    case .result(let result): result
    case .reason(let reason): reason
    }
  }

  /// Reads an opener's line: `{"opened":"…"}`, `{"result":"…"}` or `{"reason":"…"}`; nil if it is none of them.
  fileprivate init?(_ object: JSONObject) {
    if let content = object["opened"]?.string {
      self = .opened(content)
    } else if let result = object["result"]?.string {
      self = .result(result)
    } else if let reason = object["reason"]?.string {
      self = .reason(reason)
    } else {
      return nil
    }
  }
}

extension JSONValue {
  /// Whether two values are the same, whatever the order of members, and however a number is written.
  fileprivate func isSame(_ other: JSONValue) -> Bool {
    switch (self, other) {
    case (.object(let one), .object(let other)):
      one.count == other.count && one.allSatisfy { other[$0.key].map($0.value.isSame) ?? false }
    case (.array(let one), .array(let other)):
      one.count == other.count && zip(one, other).allSatisfy { $0.isSame($1) }
    case (.number(let one), .number(let other)):
      if let integer = one.integer, let same = other.integer {
        integer == same
      } else {
        one.double == other.double
      }
    default: self == other
    }
  }
}
