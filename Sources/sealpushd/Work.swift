internal import PushCommands
internal import PushDelivery
internal import PushKeys
internal import PushSealer
internal import PushWorker

extension Command {
  static let work = Command(
    of: "sealpushd", name: ["work"], summary: "deliver what is in a store's queue, until it is stopped",
    details: """
      Claims jobs, seals each to its person's devices, sends it through APNs, and says in the store what became of
      it. Start as many workers as you like, on as many machines as reach the store. A worker that is killed loses
      nothing: when the lease of its jobs is over, another one takes them, and a device shows a repeat quietly.

      SIGTERM and SIGINT stop it: it claims nothing more, ends what it has, and exits with 0. What has not ended
      within --stop-within goes back to the queue. A second signal kills it. SIGHUP has it read --from again, after
      sealpush keys rotate. If it cannot, it goes on with the keys that it has, and says so.

      --person-limit keeps messages to one person back that are too many for now; each worker counts its own.

      --metrics serves what it has done, what APNs answered, and what is in the queue, to this machine alone.

      With --audience it answers the enrolments that applications insert, and pushes proof requests to devices.

      On standard error it writes a JSON object a line: {"time":…,"event":…}. The events are started, metrics (the
      port), retried, discarded (the job is a dead letter), route-stopped, store-failed, keys-read, keys-kept (they
      could not be read), stopping, giving-back, stopped, and omitted (what was more than 20 lines in a second). None
      names a person, a token, a text or a key. On a terminal it shows its progress, too.
      """,
    examples: [
      """
      sealpushd work --store push.sqlite --from sender.jwks --key-file AuthKey_ABCDE12345.p8 \\
          --key-id ABCDE12345 --team-id FGHIJ67890
      """,
      """
      sealpushd work --store push.sqlite --from sender.jwks --key-file AuthKey_ABCDE12345.p8 \\
          --key-id ABCDE12345 --team-id FGHIJ67890 --once --endpoint 127.0.0.1:2197 --trust apns-root.pem
      """,
    ],
    options: [
      .store, .keySource("--from", "the sender's private key file, to sign with"), .keyDescriptor("--from"),
    ] + Option.apns + [
      .flag("--once", "stop when no job is ready, for cron"),
      .optional("--audience", "NAME", "the backend's own name, to answer enrolments; default: leave them"),
      .optional("--topic", "ID", "the app whose enrolments are taken; default: any"),
      .optional("--metrics", "PORT", "serve http://127.0.0.1:PORT/metrics, for Prometheus"),
      .optional("--batch", "COUNT", "how many jobs are claimed at a time; default: 500"),
      .optional(
        "--person-limit", "N/TIME", "messages to a person within a time, such as 10/1h; default: any"),
      .optional("--lease", "TIME", "when others may take a dead worker's jobs, at least 3s; default: 60s"),
      .optional("--stop-within", "TIME", "how long what is claimed may take after a signal; default: 20s"),
      .optional("--timeout", "TIME", "how long to try a push before its job waits; default: 60s"),
    ] + Option.policy + Option.passphrase
  ) { (arguments, console) throws(ToolError) in
    try await WorkSession(arguments, console).run(console)
  }
}

extension WorkerConfiguration {
  /// What the options ask for.
  init(_ arguments: Arguments) throws(ToolError) {
    self.init()
    batchSize = try arguments.count("--batch", atMost: 10_000) ?? batchSize
    openJobs = max(openJobs, 2 * batchSize)
    if let seconds = try arguments.seconds("--lease") {
      guard (3...86_400).contains(seconds) else { throw .usage("--lease is from 3s to 1d") }
      lease = .seconds(seconds)
    }
    personLimit = try arguments["--person-limit"].map { (text) throws(ToolError) in try PersonLimit(text) }
    policy = try SealingPolicy(arguments)
    stopsWhenIdle = arguments.has("--once")
    audience = arguments.isGiven("--audience") ? try arguments.audience() : nil
    topic = arguments.isGiven("--topic") ? try arguments.topic() : nil
  }
}

extension PersonLimit {
  /// Reads a number and a time, such as `10/1h`.
  fileprivate init(_ text: String) throws(ToolError) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2, let count = Int(parts[0]), count > 0,
      let seconds = try? TimeSpan.seconds(parts[1]), (1...2_592_000).contains(seconds)
    else { throw .usage("--person-limit is a number and a time of at most 30d, such as 10/1h") }
    self.init(count, within: .seconds(seconds))
  }
}
