import PushCore

extension Command {
  static let vectorsVerify = Command(
    name: ["vectors", "verify"], summary: "test another implementation against the vectors",
    details: """
      Starts CMD once, through the shell. For each vector it writes a line of JSON to CMD's standard input:
      {"id","as","topic","now","pushType","after","locked","lacks","accounts","accepts","keys","senders",
      "shared","payload"}.
      "as" is notification or data; "keys" and "shared" are private JWK Sets; "senders" is the senders' set; "after"
      is a payload that was delivered just before; "lacks" names suites that CMD treats as if its system did not
      have them; "accounts" has the tags of the accounts that are signed in, and without it CMD does not know
      them. "pushType", "after", "locked", "lacks", "accounts" and "shared" may be absent.
      CMD answers each line within 20 seconds with {"opened":CONTENT}, where CONTENT is the text, or with
      {"reason":REASON}. If its system does not have xwing-aesgcm, it answers such messages with
      unsupported-suite: these are counted separately.
      Exit status: 0 if all answers are right, 65 if any is wrong. See Documentation/Implementing.md.
      """,
    examples: [
      "sealpush vectors verify --opener ./my-opener --vectors Vectors"
    ],
    options: [
      .required(.opener, "the command line, run by the shell"),
      .optional(.vectors, "the folder of the vectors; default: Vectors"), .json,
    ]
  ) { (arguments, console) throws(ToolError) in
    let files = try VectorFiles(folder: arguments[.vectors] ?? "Vectors")
    let opener = try OpenerProcess(command: try arguments.required(.opener))
    var report = ConformanceReport()
    for question in files.questions {
      let answer: [UInt8]
      do throws(OpenerProcess.Failure) {
        answer = try opener.answer(to: question.line.encoded())
      } catch {
        let asked = "at \(question.file) \(question.id), after \(report.passedCount) right answers"
        throw ToolError(.badData, "the opener gave no answer: \(error) \(asked)")
      }
      report.note(
        question, answer: String(decoding: answer, as: UTF8.self),
        isRight: VectorFiles.Answer(parsing: answer) == question.expected)
    }
    report.finish()
    let json = arguments.has(.json)
    try console.print(
      json ? report.json.jsonLine : report.text)
    console.note("\(files.unasked) vectors test deadlines, and are not sent to an opener")
    guard report.faults.isEmpty else {
      throw ToolError(.badData, "\(report.faults.count) of \(files.questions.count) answers are wrong")
    }
  }
}

extension Option<String> {
  fileprivate static var opener: Self { Self("--opener", "CMD") }
  fileprivate static var vectors: Self { Self("--vectors", "FOLDER") }
}
