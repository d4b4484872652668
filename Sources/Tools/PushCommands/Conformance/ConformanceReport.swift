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
  private var suitesThatOpened: Set<String> = []
  private var passed: [String: Int] = [:]
  private var files: [String] = []

  /// How many answers were right.
  var passedCount: Int { passed.values.reduce(0, +) }

  mutating func note(_ question: VectorFiles.Question, answer: String, isRight: Bool) {
    if !files.contains(question.file) { files.append(question.file) }
    if isRight {
      passed[question.file, default: 0] += 1
      if case .opened = question.expected, let suite = question.rareSuite { suitesThatOpened.insert(suite) }
    } else if question.rareSuite != nil,
      VectorFiles.Answer(parsing: Array(answer.utf8)) == .reason("unsupported-suite")
    {
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
      return "\(file): \(passed[file] ?? 0) passed, \(failed) failed\(note ?? "")\n"
    }
    return (lines + counts).joined()
  }

  /// As JSON.
  var json: JSONObject {
    [
      "passed": .number(JSONNumber(passedCount)), "failed": .number(JSONNumber(faults.count)),
      "unchecked": .number(JSONNumber(unsupported.count)),
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
    case .reason(let reason): reason
    }
  }

  /// Reads an opener's line: `{"opened":"…"}` or `{"reason":"…"}`; nil if it is neither.
  init?(parsing line: [UInt8]) {
    guard let object = try? JSONObject(parsing: line.span) else { return nil }
    if let content = object["opened"]?.string {
      self = .opened(content)
    } else if let reason = object["reason"]?.string {
      self = .reason(reason)
    } else {
      return nil
    }
  }
}
