internal import PushCommands
internal import PushCore
internal import PushStore

extension Command {
  static let queue = Command(
    of: "sealpushd", name: ["queue"], summary: "show how much is in a store's queue",
    details: """
      It counts the jobs by state:

        ready    wait for a worker; if the oldest has been ready for minutes, too few workers run, or none
        delayed  wait for their not_before, or for another attempt
        leased   are claimed by a worker
        dead     are dead letters, which the workers gave up; sealpushd queue dead lists them

      It also lists pauses and limits: see sealpushd pause and sealpushd rate. Jobs that they hold are
      delayed.

      With --watch it prints a line at each interval until you stop it, and adds rates: IN/S is how many jobs
      were enqueued per second, and OUT/S how many were delivered or deleted. With --json these are
      enqueued_per_second and done_per_second. An INSERT that was rolled back, or whose message_id was there
      already, may count in both.
      """,
    examples: [
      "sealpushd queue --store push.sqlite", "sealpushd queue --store push.sqlite --json",
      "sealpushd queue --store push.sqlite --watch 5s",
    ],
    options: [
      .store, .optional(.watch, "print a line with rates at each interval, such as 5s"),
      .json,
    ]
  ) { (arguments, console) throws(ToolError) in
    let interval = try arguments[.watch]
    guard interval ?? .seconds(1) > .zero else { throw .usage("\(Option.watch) must be at least 1s") }
    let store = try await StorePlace(from: arguments).open(console: console)
    if let interval {
      return try await QueueLook.watch(
        store, each: interval, console: console, asJSON: arguments.has(.json))
    }
    let (queue, steering) = try await storing { () async throws(StoreError) in
      (try await store.statistics(), try await store.steering())
    }
    if arguments.has(.json) {
      var object = queue.json
      for (name, value) in steering.members { object[name] = value }
      try console.print(object.jsonLine)
    } else {
      try console.print(queue.text + steering.text)
    }
  }
}

extension QueueStatistics {
  /// The counts as an object.
  var json: JSONObject {
    var object: JSONObject = [
      "ready": .number(JSONNumber(ready)), "delayed": .number(JSONNumber(delayed)),
      "leased": .number(JSONNumber(leased)), "dead": .number(JSONNumber(dead)),
    ]
    if let oldestReady {
      object["oldest_ready_seconds"] = .number(JSONNumber(Int(oldestReady.components.seconds)))
    }
    return object
  }

  fileprivate var text: String {
    let oldest = oldestReady.map { ", the oldest for \(Self.text(seconds: $0.components.seconds))" } ?? ""
    return "ready: \(ready)\(oldest)\ndelayed: \(delayed)\nleased: \(leased)\ndead: \(dead)\n"
  }

  /// A time in its largest fitting unit.
  static func text(seconds: Int64) -> String {
    switch seconds {
    case ..<120: "\(seconds) s"
    case ..<7200: "\(seconds / 60) min"
    case ..<172_800: "\(seconds / 3600) h"
    default: "\(seconds / 86_400) d"
    }
  }
}

extension Option<Duration> {
  fileprivate static var watch: Self { .duration("--watch") }
}
