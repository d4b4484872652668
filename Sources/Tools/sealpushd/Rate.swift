internal import PushCommands
internal import PushCore
internal import PushStore

extension Command {
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

extension Option<GivenLimit> {
  fileprivate static var limit: Self {
    Self("--limit", "N/TIME|none", rule: "a number and a time from 1s to 1d, such as 6000/1m, or none") {
      GivenLimit($0)
    }
  }
}
