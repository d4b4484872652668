internal import PushCommands
internal import PushCore
internal import PushStore

extension Command {
  static let queueOutcome = Command(
    of: "sealpushd", name: ["queue", "outcome"], summary: "show what became of a message on each device",
    details: """
      Workers record outcomes only for jobs that ask for it: with sealpushd enqueue --outcome, or with true in
      the column outcome. For each device it shows the registration, the person, the outcome, when, and why.
      Times are UTC.

        shown        the phone says so; only an app that wants receipts reports it, so other messages may be shown, too
        accepted     APNs has accepted it for the device; the backend does not know whether it was shown
        refused      APNs has refused it, or it could not be sealed
        unreachable  the device is quarantined, or its token is no longer valid; without a registration: nobody got it

      If nothing is known, it says so, and the exit status is 0. With --json it prints one object per line;
      shown_at is when the phone's receipt came, beside the message's outcome at APNs.
      """,
    examples: [
      "sealpushd queue outcome 0b54a2c5-3f5b-4f0e-9d7c-3a3c1a4e8f10 --store push.sqlite",
      "sealpushd queue outcome 0b54a2c5-3f5b-4f0e-9d7c-3a3c1a4e8f10 --store push.sqlite --json",
    ],
    options: [.operand(.message, "the message's ID"), .store, .json]
  ) { (arguments, console) throws(ToolError) in
    guard let message = try? MessageID(try arguments.required(.message)) else {
      throw .usage(
        "\(Operand.message) must be a message's ID, a UUID", hint: "sealpushd queue outcome --help")
    }
    let store = try await StorePlace(from: arguments).open(console: console)
    let outcomes = try await storing { () async throws(StoreError) in try await store.outcomes(of: message) }
    if outcomes.isEmpty {
      console.warn(
        "note: nothing is known about this message: its job did not ask for its outcome, still waits, or ended too long ago"
      )
    }
    if arguments.has(.json) {
      try console.print(outcomes.map(\.json.jsonLine).joined())
    } else if !outcomes.isEmpty {
      try console.print(
        TextTable.text(of: [["REGISTRATION", "PERSON", "OUTCOME", "WHEN", "WHY"]] + outcomes.map(\.row)))
    }
  }
}

extension RecordedOutcome {
  fileprivate var row: [String] {
    [
      outcome.registration?.printable ?? "-", person.printable,
      shownAt == nil ? outcome.kind.rawValue : "shown",
      (shownAt ?? decidedAt).calendarText, outcome.reason?.printable ?? "-",
    ]
  }

  fileprivate var json: JSONObject {
    var object: JSONObject = ["person": .string(person), "outcome": .string(outcome.kind.rawValue)]
    object["registration"] = outcome.registration.map { .string($0) }
    object["identity"] = outcome.identity.map { .string($0.text) }
    object["reason"] = outcome.reason.map { .string($0) }
    object["decided_at"] = .number(JSONNumber(decidedAt.seconds))
    object["shown_at"] = shownAt.map { .number(JSONNumber($0.seconds)) }
    return object
  }
}

extension Operand {
  fileprivate static let message = Operand("MESSAGE-ID")
}
