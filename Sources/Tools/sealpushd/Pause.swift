internal import PushCommands
internal import PushCore
internal import PushStore

extension Command {
  static let pause = Command(
    of: "sealpushd", name: ["pause"],
    summary: "hold the messages of an app or an environment, or all messages",
    details: """
      Workers send nothing to the routes that it names until sealpushd resume ends the pause. Without options,
      these are all routes; with --topic, those of an app; with --environment, those of an environment; with
      both, a single route. Other routes continue.

      The pause is in the store, so it holds for all workers, also for those that start later. Running workers
      see it within 2 seconds; what they have handed to APNs by then still arrives.

      A message that waits for a paused route uses up no attempt, and waits as long as it is valid. The
      person's other devices get it at once. Phones of a paused route get no proof requests either, but their
      enrolments are answered. sealpushd queue shows the pauses.
      """,
    examples: [
      "sealpushd pause --store push.sqlite",
      "sealpushd pause --store push.sqlite --topic com.example.app --environment production",
    ],
    options: .routeScope
  ) { (arguments, console) throws(ToolError) in
    let scope = try RouteScope(from: arguments)
    let store = try await StorePlace(from: arguments).open(console: console)
    let isNew = try await storing { () async throws(StoreError) in try await store.pause(scope) }
    try console.print("\(isNew ? "paused" : "was paused already"): \(scope.words)\n")
  }

  static let resume = Command(
    of: "sealpushd", name: ["resume"], summary: "end pauses, so that the held messages go again",
    details: """
      Ends the pauses within what it names: without options, all of them; with --topic, those of an app; with
      --environment, those of an environment. A wider pause stays, and the command names it. Messages that
      were held go again within seconds, the most urgent first, as fast as workers take them.
      """,
    examples: [
      "sealpushd resume --store push.sqlite", "sealpushd resume --store push.sqlite --topic com.example.app",
    ],
    options: .routeScope
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
}

extension RouteScope {
  /// The routes that the options name.
  fileprivate init(from arguments: Arguments) throws(ToolError) {
    self.init(topic: try arguments[.topic], environment: try arguments[.environment])
  }
}

extension [Parameter] {
  /// The store, and the routes that are meant.
  fileprivate static let routeScope: Self = [
    .store, .optional(.topic, "the app; default: all apps"),
    .optional(.environment, "sandbox or production; default: both"),
  ]
}
