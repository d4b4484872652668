internal import PushCommands
internal import PushCore
internal import PushSealer
internal import PushStore

/// `enqueue --lines`: a job a line; those that come together are stored together.
struct JobLines {
  /// How many jobs one commit has at the most.
  private static let batchSize = 500

  private let input: LineInput

  init(from arguments: Arguments) throws(ToolError) {
    let ofOne = [
      Option.person.name, Option.messageID.name, Option.topic.name, Option.jobPriority.name,
      Option.notBefore.name, Option.expiresAt.name, Option.lifetime.name, Option.apnsPriority.name,
      Option.collapseID.name, Option.jobPushType.name, Flag.outcome.name,
    ]
    for name in ofOne where arguments.isGiven(name) {
      throw .usage("\(name) and \(Flag.lines) exclude each other", hint: "sealpushd enqueue --help")
    }
    input = try LineInput(path: arguments[.input], skipping: 0)
    try Interruption.watch()
  }

  /// Enqueues all lines, and prints an answer for each.
  func enqueue(at place: StorePlace, console: Console) async throws(ToolError) {
    let store = try await place.open(making: true, console: console)
    var lines = input.makeIterator()
    var (count, failures) = (0, 0)
    while let batch = try await lines.next(atMost: Self.batchSize) {
      let read = batch.map(JobLine.init)
      let jobs = read.compactMap { try? $0.job.get() }
      let numbers = try await storing { () async throws(StoreError) in try await store.enqueue(jobs) }
      var next = numbers.makeIterator()
      let answers = read.map { line in line.answer(stored: (try? line.job.get()).flatMap { _ in next.next() })
      }
      count += batch.count
      failures += batch.count - jobs.count
      try console.print(answers.map(\.jsonLine).joined())
    }
    if input.wasInterrupted { Interruption.die() }
    guard failures == 0 else { throw ToolError(.badData, "\(failures) of \(count) lines were not enqueued") }
  }
}

/// A line, and its job or why it has none.
private struct JobLine {
  private static let members = ["id"] + JobColumn.allCases.filter { $0 != .createdAt }.map(\.rawValue)

  private let number: Int
  private let id: JSONValue?
  let job: Result<Job, LineError>

  init(_ input: InputLine) {
    number = input.number
    var id: JSONValue?
    do throws(LineError) {
      guard case .whole(let text) = input.line else {
        throw LineError("line-too-long", "longer than \(LineInput.maximumLineSize) bytes")
      }
      let object = try SealLine.object(parsing: text)
      id = try SealLine.id(of: object)
      job = .success(try Self.job(from: object))
    } catch {
      job = .failure(error)
    }
    self.id = id
  }

  /// What to say of it: the number of its job, or what is wrong.
  func answer(stored: JobID?) -> JSONObject {
    var answer: JSONObject = ["line": .number(JSONNumber(number))]
    if let id { answer["id"] = id }
    switch job {
    case .success(let job):
      answer["job"] = stored.map { .number(JSONNumber($0.number)) }
      answer["message_id"] = .string(job.messageID.text)
    case .failure(let error):
      answer["error"] = .string(error.code)
      answer["message"] = .string(error.message)
    }
    return answer
  }

  private static func job(from line: JSONObject) throws(LineError) -> Job {
    if let name = line.keys.first(where: { !members.contains($0) }) {
      throw LineError("bad-member", "'\(name.utf8.count <= 20 ? name : "…")' is unknown")
    }
    let payload = try line.required("payload", rule: "an object") { $0.object }
    let person = try line.required("person", rule: "a string") { $0.string }
    let messageID = try line.optional("message_id", rule: "a UUID") {
      $0.string.flatMap { try? MessageID($0) }
    }
    let topic = try line.optional("topic", rule: "a bundle ID") { $0.string.flatMap { try? Topic($0) } }
    let priority = try line.optional("priority", rule: "a number from 0 to 9") {
      $0.number?.integer.flatMap { JobPriority(rawValue: Int($0)) }
    }
    let (start, end) = (try time("not_before", in: line), try time("expires_at", in: line))
    let rule = "a number of seconds, or a time such as 12h or 30d, of at most 30 days"
    let lifetime = try line.optional("lifetime", rule: rule) { $0.seconds.flatMap(Lifetime.init(seconds:)) }
    let urgency = try line.optional("apns_priority", rule: "10, 5 or 1") {
      $0.number?.integer.flatMap { Priority(rawValue: Int($0)) }
    }
    let collapseID = try line.optional("collapse_id", rule: "a string") { $0.string }
    let types = PushType.allCases.map(\.rawValue).joined(separator: ", ")
    let pushType = try line.optional("push_type", rule: "one of \(types)") {
      $0.string.flatMap(PushType.init)
    }
    let activity = try line.optional("activity", rule: "a string") { $0.string }
    let wantsOutcome = try line.optional("outcome", rule: "true or false") { $0.boolean }
    let replaced = try line.optional("replaces", rule: "a UUID") {
      $0.string.flatMap { try? MessageID($0) }
    }
    let key = try key(in: line)
    let traceparent = try line.optional("traceparent", rule: "a traceparent of W3C's Trace Context") {
      $0.string.flatMap { TraceParent($0) }
    }
    do throws(JobFault) {
      return try Job(
        payload, to: person, messageID: messageID ?? .random(), topic: topic, priority: priority ?? .standard,
        notBefore: start, expiresAt: end, lifetime: lifetime, apnsPriority: urgency, collapseID: collapseID,
        pushType: pushType ?? .alert, wantsOutcome: wantsOutcome ?? false, key: key, replacing: replaced,
        traceparent: traceparent, activity: activity)
    } catch {
      throw LineError(error.column == .payload ? "bad-payload" : "bad-member", error.description)
    }
  }

  private static func key(in line: JSONObject) throws(LineError) -> JobKey? {
    let name = try line.optional("job_key", rule: "a string") { $0.string }
    let rule = try line.optional("on_key", rule: "replace or skip") {
      $0.string.flatMap { JobKey.ruleNames.contains($0) ? $0 : nil }
    }
    let time = try line.optional(
      "unique_for", rule: "a number of seconds, or a time such as 12h, with on_key skip"
    ) {
      rule == "skip" ? $0.seconds : nil
    }
    guard let name else {
      guard rule == nil else { throw LineError("bad-member", "'on_key' needs a 'job_key'") }
      return nil
    }
    return JobKey(name, onKey: rule, uniqueFor: time)
  }

  private static func time(_ name: String, in line: JSONObject) throws(LineError) -> UnixTime? {
    try line.optional(name, rule: "a number of seconds since 1970") {
      $0.number?.integer.flatMap(UnixTime.init(seconds:))
    }
  }
}
