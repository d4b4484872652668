internal import PushCommands
internal import PushCore
internal import PushFiles
internal import PushStore

extension Command {
  static let queueDead = Command(
    of: "sealpushd", name: ["queue", "dead"], summary: "list the dead letters of a store",
    details: """
      A job becomes a dead letter when its row is invalid, when it has expired, when a device did not get it,
      or when its workers crashed again and again. The list shows the job's number, when it became a dead
      letter, how often it was tried, its person, the reason, and the registrations of the devices that did
      not get it. If it is sent again, only those devices get it. Times are UTC.

      With --json it prints one object per line, with all columns as the application wrote them; --payload
      adds the payload.
      """,
    examples: [
      "sealpushd queue dead --store push.sqlite",
      "sealpushd queue dead --store push.sqlite --person ada --json --payload",
    ],
    options: [
      .store, .optional(.person, "only this person's"), .json,
      .flag(.payload, "show the payloads, too; needs --json"),
    ]
  ) { (arguments, console) throws(ToolError) in
    guard arguments.has(.json) || !arguments.has(.payload) else {
      throw .usage("\(Flag.payload) needs \(Flag.json)", hint: "sealpushd queue dead --help")
    }
    let person = try arguments[.person]?.text
    let store = try await StorePlace(from: arguments).open(console: console)
    var header = [["JOB", "DIED", "TRIED", "PERSON", "WHY"]]
    var pages = DeadLetterPages(store: store, person: person)
    while let page = try await pages.next() {
      if arguments.has(.json) {
        try console.print(page.map { $0.json(withPayload: arguments.has(.payload)).jsonLine }.joined())
      } else {
        try console.print(TextTable.text(of: header + page.map(\.row)))
        header = []
      }
    }
    if !header.isEmpty, !arguments.has(.json) { console.note("no dead letters") }
  }

  static let queueResend = changingDeadLetters(
    verb: "resend", summary: "put dead letters back into the queue",
    details: """
      Fix the cause first: sealpushd queue dead shows the reasons. Devices that have received the message do
      not get it again. If the list names devices, only they get it. A job that has expired, or whose row is
      invalid, becomes a dead letter again.
      """, done: "ready again"
  ) { (store, jobs) throws(StoreError) in try await store.resend(jobs) }

  static let queueDelete = changingDeadLetters(
    verb: "delete", summary: "remove dead letters",
    details:
      "This cannot be undone. To see them as they were written, first run sealpushd queue dead --json --payload.",
    done: "deleted"
  ) { (store, jobs) throws(StoreError) in try await store.delete(jobs) }

  private static func changingDeadLetters(
    verb: String, summary: String, details: String, done: String,
    change: @escaping @Sendable (any Store, [JobID]) async throws(StoreError) -> Int
  ) -> Command {
    Command(
      of: "sealpushd", name: ["queue", verb], summary: summary, details: details,
      examples: [
        "sealpushd queue \(verb) 17 18 --store push.sqlite",
        "sealpushd queue \(verb) --person ada --store push.sqlite",
        "sealpushd queue \(verb) --all --store push.sqlite",
      ],
      options: [
        .operand(.ids, "the jobs' numbers", isRequired: false).repeatable(), .store,
        .optional(.person, "this person's dead letters"),
        .flag(.all, "all dead letters that exist when the command starts"),
      ]
    ) { (arguments, console) throws(ToolError) in
      let person = try arguments[.person]?.text
      let wanted = try person == nil ? arguments.chosenJobs() : arguments.noJobs()
      let store = try await StorePlace(from: arguments).open(console: console)
      var count = 0
      if wanted.isEmpty {
        var pages = DeadLetterPages(store: store, person: person)
        while let page = try await pages.next() {
          count += try await storing { () async throws(StoreError) in try await change(store, page.map(\.id))
          }
        }
      } else {
        count = try await storing { () async throws(StoreError) in try await change(store, wanted) }
      }
      try console.print("\(count) \(done)\n")
      guard count >= wanted.count else {
        throw ToolError(.badData, "\(wanted.count - count) of \(wanted.count) are not dead letters")
      }
    }
  }
}

/// The dead letters of a store, a page at a time, up to the last that there was.
private struct DeadLetterPages {
  private static let size = 200

  private let store: any Store
  /// Whose they are; nil for all.
  private let person: [UInt8]?
  private var last: JobID?
  private var hasEnded = false

  init(store: any Store, person: String?) {
    self.store = store
    self.person = person.map { Array($0.utf8) }
  }

  /// The next page, which is not empty; nil after the last one.
  mutating func next() async throws(ToolError) -> [DeadLetter]? {
    while !hasEnded {
      let page = try await storing { [store, last] () async throws(StoreError) in
        try await store.deadLetters(after: last, atMost: Self.size)
      }
      last = page.last?.id
      hasEnded = page.count < Self.size
      let wanted = page.filter { letter in person.map { $0 == letter[.person].map { Array($0.utf8) } } ?? true
      }
      if !wanted.isEmpty { return wanted }
    }
    return nil
  }
}

extension Arguments {
  /// The jobs that the operands name; empty with `--all`.
  fileprivate func chosenJobs() throws(ToolError) -> [JobID] {
    var jobs: [JobID] = []
    for text in try chosen(.ids) {
      guard let number = Int64(text), number > 0 else {
        throw .usage("a job's ID must be a number, not '\(text)'")
      }
      jobs.append(JobID(number))
    }
    return jobs
  }

  /// No jobs: a person is given in their place.
  fileprivate func noJobs() throws(ToolError) -> [JobID] {
    guard all(.ids).isEmpty, !has(.all) else {
      throw .usage("give \(Option.person.name) in place of \(Operand.ids) and \(Flag.all)")
    }
    return []
  }
}

extension DeadLetter {
  fileprivate var row: [String] {
    [
      String(id.number), diedAt.calendarText, String(attempts), self[.person]?.printable ?? "-",
      reason.printable + missingNames,
    ]
  }

  /// The registrations of the devices that did not get it, in parentheses, but not hundreds of them.
  private var missingNames: String {
    guard !missing.isEmpty else { return "" }
    let names = missing.prefix(5).map(\.registration.printable) + (missing.count > 5 ? ["…"] : [])
    return " (\(names.joined(separator: ", ")))"
  }

  fileprivate func json(withPayload hasPayload: Bool) -> JSONObject {
    var object: JSONObject = [
      "job": .number(JSONNumber(id.number)), "died_at": .number(JSONNumber(diedAt.seconds)),
      "attempts": .number(JSONNumber(attempts)), "reason": .string(reason),
    ]
    for column in JobColumn.allCases where hasPayload || column != .payload {
      object[column.rawValue] = self[column].map { .string($0) }
    }
    if !missing.isEmpty {
      object["missing"] = .array(
        missing.map { device in
          [
            "registration": .string(device.registration), "identity": .string(device.identity.text),
            "reason": .string(device.reason),
          ]
        })
    }
    return object
  }
}

extension Flag {
  fileprivate static let payload = Flag("--payload")
}

extension Operand {
  fileprivate static let ids = Operand("ID…")
}
