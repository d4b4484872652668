internal import PushCommands
internal import PushDelivery
internal import PushKeys
internal import PushSealer
internal import PushWorker

extension Command {
  static let work = Command(
    of: "sealpushd", name: ["work"], summary: "deliver what is in a store's queue, until it is stopped",
    details: """
      Claims jobs, seals each one to its person's devices, sends it through APNs, and records the result in
      the store. Start as many workers as you like, on every machine that reaches the store. A killed worker
      loses nothing: when the lease of its jobs ends, another worker takes them. If a device then gets a
      message twice, it shows the second one quietly.

      SIGTERM or SIGINT (Ctrl-C) stops it: it claims nothing more, finishes what it has, and exits with 0.
      Jobs that are not finished within --stop-within go back to the queue. A second signal kills it. SIGHUP
      makes it read --from and --routes again, for example after sealpush keys rotate. If it cannot read a
      file, it keeps the keys that it has, and logs keys-kept.

      --routes names the keys of several apps, teams and environments in a JSON file, in place of --key-file,
      --key-id and --team-id; Documentation/Operating/Workers.md describes it. A key that APNs refuses stops
      only its own apps. A route may have its own sender, which signs in place of --from, and its own proxy.
      The devices are then counted app by app.

      A job that one device did not get, although other devices of the person did, becomes a dead letter that
      names the device. A job whose person has no device counts as done, or becomes a dead letter with
      --nobody dead; the log and the metrics count it as without_devices.

      A device whose token APNs no longer accepts gets nothing until it has proven a token again; jobs wait up
      to 72 hours for one that is proving a new token. --person-limit holds back messages to a person who has
      had too many; each worker counts its own.

      --metrics serves metrics about the jobs, APNs, the queue and the devices to this machine only. Devices
      are counted every 15 minutes, as devices report counts them. --listen serves the metrics at any address,
      and two paths for an orchestrator. /healthz answers 200 while the process works. /readyz answers 200
      while the store answers and a key signs, until a signal stops the worker; otherwise it answers 503 and
      the reason. There is no TLS and no password: whoever reaches the address may read it.

      With --audience it also answers the enrolments that applications insert, and pushes proof requests to
      devices.

      To reach APNs through an HTTP proxy, set HTTPS_PROXY and NO_PROXY in the environment, as for sealpushd
      send.

      With --once, the exit status is 75 if APNs refused every push and jobs wait in the queue, and 65 if it
      refused every push and none waits. Pushes to devices that are gone do not count.

      The log is on standard error, one JSON object per line: {"time":…,"event":…}. A table of the events is
      in Documentation/Operating/Monitoring.md. At most 20 lines are written in a second; omitted says how
      many more there were. No line contains a person, a token, a text or a key. A terminal shows progress as
      well.
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
    options: Parameter.work
  ) { (arguments, console) throws(ToolError) in
    try await WorkSession(from: arguments, console: console).run(console: console)
  }
}

extension Parameter {
  /// The options of a worker.
  static let work: [Parameter] =
    [
      .store, .rowKey, .keySource(.from, "the sender's private key file, to sign with", isRequired: false),
      .keyDescriptor(.from),
    ] + apns + [
      .flag(.once, "stop when no job is ready, for cron"),
      .optional(
        .audience, "the backend's own name; with it, the worker answers enrolments (default: it does not)"),
      .optional(.topic, "with --audience: the app whose enrolments are accepted; default: any"),
      .optional(.metrics, "serve http://127.0.0.1:PORT/metrics, for Prometheus"),
      .optional(
        .listenAddress, "serve http://ADDRESS/metrics, /healthz and /readyz; a port alone is on 127.0.0.1"
      ),
      .optional(
        .senders,
        "with --metrics or --listen: the signed sets that phones can have, one per line"),
      .optional(.batch, "how many jobs are claimed at a time; default: 1000"),
      .optional(.nobody, "what becomes of a message whose person has no device: done or dead; default: done"),
      .optional(.keepOutcomes, "how long to keep the outcomes of jobs that ask for them; default: 7d"),
      .optional(.keepDead, "how long to keep dead letters, which have unencrypted texts; default: 30d"),
      .optional(.keepUnproven, "how long to keep registrations that have proven nothing; default: 30d"),
      .optional(.personLimit, "at most N messages to a person within TIME, such as 10/1h; default: no limit"),
      .optional(
        .lease, "how long a lease lasts; when it ends, others take a dead worker's jobs; default: 60s"),
      .optional(.stopWithin, "how long to finish claimed jobs after a signal; default: 20s"),
      .optional(.timeout, "how long to try a push before its job waits; default: 60s"),
    ] + policy + passphrase
}

extension WorkerConfiguration {
  /// What the options ask for.
  init(from arguments: Arguments) throws(ToolError) {
    self.init()
    batchSize = try arguments[.batch] ?? batchSize
    openJobs = max(openJobs, 2 * batchSize)
    lease = try arguments[.lease] ?? lease
    personLimit = try arguments[.personLimit]
    messagesToNobody = try arguments[.nobody] ?? messagesToNobody
    outcomeTime = try arguments[.keepOutcomes] ?? outcomeTime
    deadLetterTime = try arguments[.keepDead] ?? deadLetterTime
    unprovenTime = try arguments[.keepUnproven] ?? unprovenTime
    policy = try SealingPolicy(from: arguments)
    stopsWhenIdle = arguments.has(.once)
    audience = try arguments[.audience]
    topic = try arguments[.topic]
  }
}

extension Option<WorkerConfiguration.MessagesToNobody> {
  fileprivate static var nobody: Self { Self("--nobody", "WORD", rule: "done or dead", isShown: true) }
}

extension Option<PersonLimit> {
  /// A number and a time, such as `10/1h`.
  fileprivate static var personLimit: Self {
    Self("--person-limit", "N/TIME", rule: "a number and a time of at most 30d, such as 10/1h") { text in
      let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 2, let count = Int(parts[0]), count > 0,
        let seconds = try? TimeSpan.seconds(in: parts[1]), (1...2_592_000).contains(seconds)
      else { return nil }
      return PersonLimit(count, within: .seconds(seconds))
    }
  }
}

extension Option<Duration> {
  fileprivate static var keepOutcomes: Self { .duration("--keep-outcomes") }

  fileprivate static var keepDead: Self { .duration("--keep-dead") }

  fileprivate static var keepUnproven: Self { .duration("--keep-unproven") }

  fileprivate static var lease: Self {
    .duration("--lease", in: .seconds(3) ... .seconds(86_400), rule: "from 3s to 1d")
  }
}

extension Option<Int> {
  fileprivate static var batch: Self { .count("--batch", atMost: 10_000) }
}

extension Flag {
  fileprivate static let once = Flag("--once")
}
