internal import PushCommands
internal import PushCore
internal import PushSealer
internal import PushStore

extension Command {
  static let enqueue = Command(
    of: "sealpushd", name: ["enqueue"], summary: "put notifications into a store's queue",
    details: """
      Reads an ordinary APNs payload, and enqueues it for a person. A worker seals it to all of the person's
      devices. When the command exits with 0, the job is on the disk. It prints the job's number and the
      message ID. If you run it again with the same --message-id, it adds nothing, and prints the existing
      job's number.

      With --lines, each line of input is a JSON object. It has "person" and "payload", and may have
      "message_id", "topic", "priority" (9 first, 0 last), "not_before" and "expires_at" (Unix seconds),
      "lifetime" (seconds, or "12h"), "apns_priority" (10, 5 or 1), "collapse_id", "push_type", "outcome"
      (true or false), "job_key", "on_key" (replace or skip), "unique_for" (seconds, or "12h"), "replaces",
      "traceparent", "activity", and "id", which the answer repeats.

      Each line gets a line of output: {"line":N,"job":…,"message_id":…}, or {"line":N,"error":…,"message":…}.
      If there was an error, the exit status is 65. Lines that arrive together are stored together. If the
      command is interrupted, run it again with the same lines, including their message IDs: nothing is sent
      twice.

      --job-key is your own name for what the message is about; sealpushd cancel can use it, too. With
      --on-key replace, the message replaces the earlier ones that have the same key, in the queue and on the
      phone. With --on-key skip, it is dropped while another one waits, and with --unique-for also for that
      time after the last one.

      --push-type is alert, background, voip, complication, pushtotalk or liveactivity. The last four go to
      tokens of their own, which devices register; a person without such a token has no device for the
      message. The payload of liveactivity says in aps what happens to an activity: with "event":"start",
      "attributes-type" names what starts; otherwise --activity names the activity.
      """,
    examples: [
      "sealpushd enqueue --store push.sqlite --person ada --in payload.json",
      "sealpushd enqueue --store push.sqlite --lines --in jobs.jsonl",
      "sealpushd enqueue --store push.sqlite --person ada --job-key 'match 7' --on-key replace --in score.json",
    ],
    options: [
      .store, .optional(.person, "the person whose devices get it"),
      .flag(.lines, "enqueue one job per line"), .input,
      .optional(.messageID, "the message's ID; reuse it when you enqueue a job again"),
      .optional(.topic, "the app whose devices get it; default: all apps"),
      .optional(.jobPriority, "from 9 (sent first) to 0 (sent last); default: 5"),
      .optional(.notBefore, "when it may be sent, in Unix seconds; default: now"),
      .optional(.expiresAt, "when it expires, in Unix seconds; default: its lifetime's end"),
      .optional(.lifetime, "how long it is valid, at most 30d; default: the push type's"),
      .optional(.apnsPriority, "the header apns-priority: 10, 5 or 1; default: the push type's"),
      .optional(.collapseID, "the header apns-collapse-id, which is visible; default: the message ID"),
      .optional(.jobPushType, "the type of the push, which decides where it goes; default: alert"),
      .optional(.activity, "the Live Activity that it updates or ends, by the name that devices have given"),
      .optional(.jobKey, "your own name for what it is about, by which to cancel or replace it"),
      .optional(.onKey, "rule for messages with the same key: keep, replace or skip; default: keep"),
      .optional(.uniqueFor, "with --on-key skip: for how long after the last one to skip, too; at most 30d"),
      .optional(.replaces, "the message that it replaces on the phone"),
      .optional(.traceparent, "the trace that it belongs to (W3C); the worker's log has it"),
      .flag(.outcome, "record its outcome on each device, for sealpushd queue outcome"),
      .json,
    ]
  ) { (arguments, console) throws(ToolError) in
    let place = try StorePlace(from: arguments)
    if arguments.has(.lines) {
      return try await JobLines(from: arguments).enqueue(at: place, console: console)
    }
    let job = try Job(from: arguments)
    let store = try await place.open(making: true, console: console)
    let numbers = try await storing { () async throws(StoreError) in try await store.enqueue([job]) }
    let line: JSONObject = [
      "job": .number(JSONNumber(numbers[0].number)), "message_id": .string(job.messageID.text),
    ]
    try console.print(
      arguments.has(.json) ? line.jsonLine : "job \(numbers[0].number), message \(job.messageID.text)\n")
  }
}

extension Job {
  /// The job that the options describe, and whose payload is the input.
  fileprivate init(from arguments: Arguments) throws(ToolError) {
    guard let person = try arguments[.person]?.text else {
      throw .usage("give \(Option.person) NAME, or \(Flag.lines)", hint: "sealpushd enqueue --help")
    }
    let messageID = try arguments[.messageID] ?? .random()
    let priority = try arguments[.jobPriority] ?? .standard
    let urgency = try arguments[.apnsPriority]
    let topic = try arguments[.topic]
    let (start, end) = (try arguments[.notBefore], try arguments[.expiresAt])
    let lifetime = try arguments[.lifetime]
    let pushType = try arguments[.jobPushType] ?? .alert
    let (key, replaced) = (try JobKey(from: arguments), try arguments[.replaces])
    let traceparent = try arguments[.traceparent]
    let payload = try FileInput.payload(from: arguments[.input])
    do throws(JobFault) {
      self = try Job(
        payload, to: person, messageID: messageID, topic: topic,
        priority: priority, notBefore: start, expiresAt: end,
        lifetime: lifetime, apnsPriority: urgency, collapseID: arguments[.collapseID],
        pushType: pushType, wantsOutcome: arguments.has(.outcome), key: key, replacing: replaced,
        traceparent: traceparent, activity: arguments[.activity])
    } catch {
      throw ToolError(.badData, "not enqueued: \(error)")
    }
  }
}

extension Option<JobPriority> {
  static var jobPriority: Self {
    Self(
      "--priority", "N", rule: "a number from 0 to 9, where 9 is first", choices: (0...9).map(String.init)
    ) { text in Number.read(text, in: 0...9).flatMap(JobPriority.init(rawValue:)) }
  }
}

extension Option<PushType> {
  static var jobPushType: Self {
    let types = PushType.allCases.map(\.rawValue)
    // The others tell the system something, and have nothing of a sender's.
    return Self("--push-type", "TYPE", rule: types.joined(separator: ", "), choices: types) { text in
      PushType(rawValue: text)
    }
  }
}

extension Option<Priority> {
  static var apnsPriority: Self { .priority("--apns-priority") }
}

extension Flag {
  static let outcome = Flag("--outcome")
}

extension Option<UnixTime> {
  static var notBefore: Self { .time("--not-before") }
  static var expiresAt: Self { .time("--expires-at") }
}

extension Option<TraceParent> {
  static var traceparent: Self {
    Self("--traceparent", "TRACEPARENT", rule: "a traceparent of W3C's Trace Context") { TraceParent($0) }
  }
}

extension Option<MessageID> {
  static var replaces: Self { Self("--replaces", "UUID", rule: "a UUID") { try? MessageID($0) } }
}

extension Option<String> {
  /// A Live Activity's name.
  static var activity: Self { Self("--activity", "NAME") }
}
