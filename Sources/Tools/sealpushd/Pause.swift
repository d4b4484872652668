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
    options: .routeScope
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
