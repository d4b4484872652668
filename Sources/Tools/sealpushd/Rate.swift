internal import PushCommands
internal import PushCore
internal import PushStore

extension Command {
  static let rate = Command(
    of: "sealpushd", name: ["rate"], summary: "limit how many messages go to an app within a time",
    details: """
      At most N pushes of the app begin within any TIME, for both environments and all workers of the store
      together. Pushes over the limit wait, as for a paused route: they use up no attempt, and delay no other
      app. They go when the limit allows it, the most urgent first. --limit none removes the limit. Proof
      requests do not count. sealpushd queue shows the limits.

      A worker takes its share of the limit before it seals, and uses it within a tenth of TIME, but at least
      1 and at most 10 seconds. To keep any TIME from having too many pushes, a share counts for that much
      longer. Therefore a limit of 6000/1m lets more through than 100/1s.
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

extension Option<GivenLimit> {
  fileprivate static var limit: Self {
    Self("--limit", "N/TIME|none", rule: "a number and a time from 1s to 1d, such as 6000/1m, or none") {
      GivenLimit($0)
    }
  }
}
