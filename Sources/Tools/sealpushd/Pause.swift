internal import PushCommands
internal import PushCore
internal import PushStore

extension Command {
  static let pause = Command(
    of: "sealpushd", name: ["pause"], summary: "hold the messages of an app, of an environment, or all",
    details: """
      Workers send nothing to the routes that it names until sealpushd resume ends the pause: all of them, without
      options; an app's, with --topic; those of an environment, with --environment; or one, with both. Other routes go
      on. The store keeps it, so it holds for all workers, and for those that start later. Workers that run see it
      within 2 seconds. What they have handed to APNs by then arrives.

      A message that waits for a paused route costs no attempt, and waits as long as it is valid. Its other devices
      get it at once. Phones of a paused route are asked for no proofs either; enrolments are answered. sealpushd queue
      shows the pauses.
      """,
    examples: [
      "sealpushd pause --store push.sqlite",
      "sealpushd pause --store push.sqlite --topic com.example.app --environment production",
    ],
    options: [
      .store, .optional(.topic, "the app; default: all apps"),
      .optional(.environment, "sandbox or production; default: both"),
    ]
  ) { (arguments, console) throws(ToolError) in
    let scope = try RouteScope(from: arguments)
    let store = try await StorePlace(from: arguments).open(console: console)
    let isNew = try await storing { () async throws(StoreError) in try await store.pause(scope) }
    try console.print("\(isNew ? "paused" : "was paused already"): \(scope.words)\n")
  }

  static let resume = Command(
    of: "sealpushd", name: ["resume"], summary: "let messages go again that sealpushd pause holds",
    details: """
      It ends the pauses within what it names: all of them, without options; those of an app, with --topic; those of an
      environment, with --environment. A wider pause stays, and is named. Messages that were held go again within some
      seconds, the most urgent first, as fast as workers take them.
      """,
    examples: [
      "sealpushd resume --store push.sqlite", "sealpushd resume --store push.sqlite --topic com.example.app",
    ],
    options: [
      .store, .optional(.topic, "the app; default: all apps"),
      .optional(.environment, "sandbox or production; default: both"),
    ]
  ) { (arguments, console) throws(ToolError) in
    let scope = try RouteScope(from: arguments)
    let store = try await StorePlace(from: arguments).open(console: console)
    let (count, steering) = try await storing { () async throws(StoreError) in
      (try await store.resume(scope), try await store.steering())
    }
    try console.print(count == 1 ? "1 pause ended\n" : "\(count) pauses ended\n")
    for pause in steering.pauses where pause.scope.contains(scope) {
      console.note("still paused: \(pause.scope.words)")
    }
  }

  static let rate = Command(
    of: "sealpushd", name: ["rate"], summary: "limit how many messages go to an app within a time",
    details: """
      At most N pushes of the app begin within any TIME, for both environments, by all workers of the store together.
      What is over the limit waits, as for a paused route: it costs no attempt, delays no other app, and goes when the
      limit lets it, the most urgent first. --limit none ends the limit. Proof requests do not count. sealpushd queue
      shows the limits.

      A worker takes its share of the limit before it seals, and uses it within a tenth of TIME, 1 to 10 seconds. So
      that no TIME has too many, a share counts for that much longer: a limit of 6000/1m lets more through than 100/1s.
      """,
    examples: [
      "sealpushd rate --store push.sqlite --topic com.example.app --limit 6000/1m",
      "sealpushd rate --store push.sqlite --topic com.example.app --limit none",
    ],
    options: [
      .store, .required(.topic, "the app"),
      .required(.limit, "N pushes within TIME, such as 6000/1m, or none"),
    ]
  ) { (arguments, console) throws(ToolError) in
    let (topic, limit) = (try arguments.required(.topic), try arguments.required(.limit))
    let store = try await StorePlace(from: arguments).open(console: console)
    try await storing { () async throws(StoreError) in try await store.limit(topic, to: limit.rate) }
    try console.print("\(topic.text): \(limit.rate.map(\.words) ?? "no limit")\n")
  }
}

/// A limit, or none.
struct GivenLimit {
  let rate: RateLimit?

  /// Nil if the text is neither `none` nor a number and a time.
  init?(_ text: String) {
    guard text != "none" else {
      rate = nil
      return
    }
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let count = Number.read(String(parts[0]), in: 1...RateLimit.maximumCount),
      let seconds = try? TimeSpan.seconds(in: String(parts[1])), RateLimit.times.contains(.seconds(seconds))
    else { return nil }
    rate = RateLimit(count, within: .seconds(seconds))
  }
}

extension RouteScope {
  /// The routes that the options name.
  fileprivate init(from arguments: Arguments) throws(ToolError) {
    self.init(topic: try arguments[.topic], environment: try arguments[.environment])
  }

  /// It, for people.
  var words: String { "\(topic?.text ?? "all apps")\(environment.map { " in \($0.rawValue)" } ?? "")" }
}

extension RateLimit {
  /// It as an option takes it.
  var words: String {
    let seconds = time.components.seconds
    for (unit, size): (String, Int64) in [("d", 86_400), ("h", 3600), ("m", 60)] where seconds % size == 0 {
      return "\(count)/\(seconds / size)\(unit)"
    }
    return "\(count)/\(seconds)s"
  }
}

extension Option<GivenLimit> {
  fileprivate static var limit: Self {
    Self("--limit", "N/TIME|none", rule: "a number and a time from 1s to 1d, such as 6000/1m, or none") {
      GivenLimit($0)
    }
  }
}
