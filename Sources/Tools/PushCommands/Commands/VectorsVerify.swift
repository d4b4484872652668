import PushCore

extension Command {
  static let vectorsVerify = Command(
    name: ["vectors", "verify"], summary: "test another implementation against the vectors",
    details: """
      Starts CMD once, through the shell. For each vector it writes a line of JSON to CMD's standard input:
      {"id","as","topic","now","pushType","after","locked","lacks","accounts","accepts","keys",
      "senders","shared","shown","payload"}.

      "as" is notification or data. "keys" and "shared" are private JWK Sets; "senders" is the senders' public
      set. "after" is a payload that was delivered just before. "lacks" names suites that CMD treats as if its
      system did not have them. "accounts" has the tags of the accounts that are signed in; without it, CMD
      does not know them. "pushType", "after", "locked", "lacks", "accounts", "shared" and "shown" may be
      absent.

      CMD answers each line within 20 seconds with {"opened":CONTENT}, where CONTENT is the text, or with
      {"reason":REASON}. If "shown" is true, the answer may have a member "shown", which is then compared. If
      CMD's system does not have xwing-aesgcm, it answers such messages with unsupported-suite; these are
      counted separately.

      With --all, other questions follow, about FCM messages, signed sets, enrolments, registrations, the
      replay memory and more: "as" says which. CMD answers them with {"result":RESULT} or {"reason":REASON}.
      If it does not know the kind of question, it answers with {"unsupported":true}; these are counted
      separately, too. For an APNs message, {"unsupported":true} is a wrong answer.

      The exit status is 0 if all answers are right, and 65 if any is wrong. For more, see
      Documentation/Guides/Implementing.md.
      """,
    examples: [
      "sealpush vectors verify --opener ./my-opener --vectors Vectors",
      "sealpush vectors verify --opener ./my-opener --all",
    ],
    options: [
      .required(.opener, "the command line, run by the shell"),
      .optional(.vectors, "the folder of the vectors; default: Vectors"),
      .flag(.all, "ask the other kinds of questions, too"), .json,
    ]
  ) { (arguments, console) throws(ToolError) in
    let files = try VectorFiles(folder: arguments[.vectors] ?? "Vectors", all: arguments.has(.all))
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
      report.note(question, answer: answer)
    }
    report.finish()
    let json = arguments.has(.json)
    try console.print(
      json ? report.json.jsonLine : report.text)
    if report.withoutShown > 0 {
      console.note("\(report.withoutShown) right answers do not say what is shown")
    }
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
