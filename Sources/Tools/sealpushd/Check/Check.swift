internal import PushCommands
internal import PushCore

extension Command {
  static let check = Command(
    of: "sealpushd", name: ["check"], summary: "check what a worker or a service needs, before it is started",
    details: """
      Give it the options of sealpushd work or of sealpushd serve, as they are in your unit or manifest. It
      reads the files as the user who runs it, so run it as the worker's user: sudo -u sealpushd sealpushd
      check ….

      It prints a line for each fact: ok, wrong or skipped, the fact's name, and what it has found. The line
      of a wrong fact ends with what to do, after "to do:". The facts are:

        sender     --from can be read, nobody else can read it, and its active key signs now; likewise those of routes
        apns-key   --key-file is a .p8 file that nobody else can read, and --key-id, --team-id, --endpoint and --trust
                   fit; likewise each key of --routes
        routes     --routes of a service can be read
        row-key    --row-key is a row key, and opens the store's devices
        store      --store answers, and has this version's tables. It is opened as a worker opens it, which makes the
                   tables in an empty database, and updates those of an older version. No SQLite file is made
        senders    no set of --senders has ended, and a phone that has it trusts its sender's active key
        secret     each --secret-file of a service has a secret
        socket     nobody else can write to the folder of a service's socket
        route      for each app and environment: APNs accepts the key for the app

      To check a route, it sends one background push to a token that no phone has. APNs answers BadDeviceToken
      if it has no other objection: the key, its ID, the team and the clock are right. The app is then also
      the team's, provided that Apple checks the topic before the token, which Apple does not document. The
      apps are those of --topic, which may be repeated, of --senders and of --routes; without any, those of
      the store's first 1000 devices.

      With --offline it connects to neither the database nor APNs, and skips those facts.

      The exit status is 0 if nothing is wrong. Otherwise it is that of the first wrong fact:

        65  wrong content, or an app that APNs refuses
        66  a missing file
        73  a store that cannot be made
        75  a database or APNs that does not answer
        77  a file that others can read or change, or a key that APNs refuses

      A wrong option is 64. With --json it prints an object per line: {"fact":…,"name":…,"result":…,"text":…,
      "to_do":…}. No line has a key, a password, a person or a token.
      """,
    examples: [
      """
      sealpushd check --store push.sqlite --from sender.jwks --key-file AuthKey_ABCDE12345.p8 \\
          --key-id ABCDE12345 --team-id FGHIJ67890 --topic com.example.app
      """,
      """
      sealpushd check --store push.sqlite --listen unix:run/serve.sock --secret-file proxy.secret \\
          --senders senders.jws --offline
      """,
    ],
    options: [
      .flag(.offline, "connect to neither the database nor APNs"),
      .optional(.environment, "ask APNs about this environment only; default: both").repeatable(),
      .json,
    ] + Parameter.checked
  ) { (arguments, console) throws(ToolError) in
    let checkup = try Checkup(from: arguments, console: console)
    var facts = Facts(isJSON: arguments.has(.json), console: console)
    try await checkup.run(reporting: &facts)
    if let error = facts.error { throw error }
  }
}

/// A fact that was looked at.
struct Fact {
  enum Result: String {
    case ok, wrong, skipped
  }

  /// What it is about: a word.
  let subject: String
  /// The file or the route, for programs; empty if the option says it.
  let name: String
  let result: Result
  let text: String
  /// What to do; nil if there is nothing.
  let advice: String?
}

/// The facts, each printed when it is known.
struct Facts {
  private let isJSON: Bool
  private let console: Console
  private var wrong = 0
  private var count = 0
  private var first: ExitStatus?

  init(isJSON: Bool, console: Console) { (self.isJSON, self.console) = (isJSON, console) }

  /// What ends the command; nil if nothing is wrong.
  var error: ToolError? {
    first.map { ToolError($0, wrong == 1 ? "one fact is wrong" : "\(wrong) of \(count) facts are wrong") }
  }

  /// Looks at a fact, and returns what was found; nil if it is wrong.
  mutating func look<Value>(
    at subject: String, _ name: String, work: () async throws(ToolError) -> (text: String, value: Value)
  ) async throws(ToolError) -> Value? {
    let found: (text: String, value: Value)
    do throws(ToolError) {
      found = try await work()
    } catch {
      try add(error, about: subject, name)
      return nil
    }
    try add(Fact(subject: subject, name: name, result: .ok, text: found.text, advice: nil))
    return found.value
  }

  /// Adds what is wrong.
  mutating func add(_ error: ToolError, about subject: String, _ name: String) throws(ToolError) {
    wrong += 1
    first = first ?? error.status
    try add(Fact(subject: subject, name: name, result: .wrong, text: error.message, advice: error.hint))
  }

  /// Adds what was not looked at.
  mutating func skip(_ subject: String, _ name: String, because reason: String) throws(ToolError) {
    try add(Fact(subject: subject, name: name, result: .skipped, text: reason, advice: nil))
  }

  private mutating func add(_ fact: Fact) throws(ToolError) {
    count += 1
    try console.print(isJSON ? fact.json.jsonLine : fact.line)
  }
}

extension Fact {
  /// The fact in a line.
  fileprivate var line: String {
    let columns = [(result.rawValue, 9), (subject, 10)].map { text, width in
      text + String(repeating: " ", count: max(1, width - text.count))
    }
    return columns.joined() + (text + (advice.map { "; to do: \($0)" } ?? "")).printable + "\n"
  }

  fileprivate var json: JSONObject {
    [
      "fact": .string(subject), "name": .string(name), "result": .string(result.rawValue),
      "text": .string(text), "to_do": advice.map { .string($0) } ?? .null,
    ]
  }
}

extension Flag {
  static let offline = Flag("--offline")
}
