internal import PushCommands
internal import PushEnvelope
internal import PushPayload
internal import PushStore

extension Command {
  static let queue = Command(
    of: "sealpushd", name: ["queue"], summary: "show how much is in a store's queue",
    details: """
      Ready jobs wait for a worker, and the oldest has been ready for so long. Delayed ones wait for their
      not_before, or for another attempt. Workers have claimed the leased ones. Dead letters were given up: see
      sealpushd queue dead. If the oldest is ready for minutes, there are too few workers, or none.
      """,
    examples: ["sealpushd queue --store push.sqlite", "sealpushd queue --store push.sqlite --json"],
    options: [.store, .json]
  ) { (arguments, console) throws(ToolError) in
    let store = try await StorePlace(arguments).open(console)
    let queue = try await storing { () async throws(StoreError) in try await store.statistics() }
    try console.print(arguments.has("--json") ? queue.json.jsonLine : queue.text)
  }
}

extension QueueStatistics {
  fileprivate var json: JSONObject {
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
    let oldest = oldestReady.map { ", the oldest for \(Self.text($0.components.seconds))" } ?? ""
    return "ready: \(ready)\(oldest)\ndelayed: \(delayed)\nleased: \(leased)\ndead: \(dead)\n"
  }

  private static func text(_ seconds: Int64) -> String {
    switch seconds {
    case ..<120: "\(seconds) s"
    case ..<7200: "\(seconds / 60) min"
    case ..<172_800: "\(seconds / 3600) h"
    default: "\(seconds / 86_400) d"
    }
  }
}
