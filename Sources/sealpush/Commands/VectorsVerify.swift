import PushPayload

extension Command {
  static let vectorsVerify = Command(
    name: ["vectors", "verify"], summary: "ask another implementation's opener for each vector, and report",
    details: """
      Starts CMD once, by the shell. For each vector it writes a line of JSON to its standard input:
      {"id","as","topic","now","pushType","after","locked","accepts","keys","senders","shared","payload"}, where
      "as" is notification or data, "keys" and "shared" are private JWK Sets, "senders" is the senders' set,
      "after" a payload that was delivered just before, and "pushType", "after", "locked" and "shared" may be
      absent. Each is answered with a line, {"opened":CONTENT} with the content's text, or {"reason":REASON},
      within 20 seconds.
      Exit status: 0 if all answers are right, 65 if one is not. Documentation/Implementing.md has more.
      """,
    options: [
      .required("--opener", "CMD", "the program, as the shell takes it"),
      .optional("--vectors", "FOLDER", "where the vectors are; default: Vectors"), .json,
    ]
  ) { (arguments, console) throws(ToolError) in
    let files = try VectorFiles(folder: arguments["--vectors"] ?? "Vectors")
    let opener = try OpenerProcess(try arguments.required("--opener"))
    var report = ConformanceReport()
    for question in files.questions {
      let answer: [UInt8]
      do throws(OpenerProcess.Failure) {
        answer = try opener.answer(question.line.encoded())
      } catch {
        let asked = "at \(question.file) \(question.id), after \(report.passedCount) right answers"
        throw ToolError(.badData, "the opener gives no answer: \(error) \(asked)")
      }
      report.note(
        question, String(decoding: answer, as: UTF8.self),
        isRight: VectorFiles.Answer(answer) == question.expected)
    }
    let json = arguments.has("--json")
    try console.print(
      json ? String(decoding: report.json.encoded(), as: UTF8.self) + "\n" : report.text)
    console.note("\(files.unasked) vectors are of deadlines, about which an opener is not asked")
    guard report.faults.isEmpty else {
      throw ToolError(.badData, "\(report.faults.count) of \(files.questions.count) answers are wrong")
    }
  }
}
