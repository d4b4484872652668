import Testing

@Suite("The manual of the server's tool")
struct DaemonHelpTests {
  /// Every command, and its own options.
  private static let commands: [String: String] = [
    "work":
      """
    --store --row-key --from --from-fd --key-file --key-file-fd --key-id --team-id --routes --endpoint --trust --proxy --once \
    --audience --topic --metrics --listen --senders --batch --nobody --keep-outcomes --keep-dead --keep-unproven \
    --person-limit --lease --stop-within --timeout --title --body --post-quantum --padding --visible --drop --fit --envelope-key \
    --passphrase-file --passphrase-fd --config
    """,
    "serve":
      """
    --store --row-key --listen --secret-file --senders --topic --routes --audience --identity-header --probes
    """,
    "check":
      """
    --offline --environment --store --row-key --from --from-fd --key-file --key-file-fd --key-id --team-id --routes --endpoint \
    --trust --proxy --once --audience --topic --metrics --listen --senders --batch --nobody --keep-outcomes --keep-dead \
    --keep-unproven --person-limit --lease --stop-within --timeout --title --body --post-quantum --padding --visible \
    --drop --fit --envelope-key --passphrase-file --passphrase-fd --config --secret-file --identity-header --probes --json
    """,
    "enqueue":
      """
    --store --person --lines --in --message-id --topic --priority --not-before --expires-at --lifetime \
    --apns-priority --collapse-id --push-type --outcome --job-key --on-key --unique-for --replaces \
    --traceparent --activity --json
    """,
    "cancel": "--store --message-id --job-key --take-back --person --topic --json",
    "pause": "--store --topic --environment", "resume": "--store --topic --environment",
    "rate": "--store --topic --limit", "page": "--store --port --row-key --json",
    "queue": "--store --watch --json",
    "queue dead": "--store --person --json --payload",
    "queue resend": "--store --person --all", "queue delete": "--store --person --all",
    "queue outcome": "--store --json",
    "devices": "--store --person --state --tokens --row-key --json",
    "devices import": "--store --row-key --json", "devices export": "--store --row-key",
    "devices report":
      """
    --store --registrations --senders --from --from-fd --topic --ready-for-rotation --names --json --now \
    --passphrase-file --passphrase-fd
    """,
    "devices accept":
      """
    --store --registration --person --audience --from --from-fd --request --force --key-alone --envelope-key --new \
    --challenge --join --topic --row-key --in --passphrase-file --passphrase-fd
    """,
    "devices release": "--store --all --row-key",
    "devices remove": "--store --identity --token --person --leave --audience --row-key --json",
    "devices forget": "--store --row-key", "store backup": "--store",
    "store check": "--store --row-key --json", "store key": "--out",
    "store seal": "--store --row-key --old-row-key --anew --json", "completions": "", "man": "",
  ]

  private static func options(on page: Run) -> Set<String> {
    Set(
      page.lines.compactMap { line in
        line.hasPrefix("  --") ? String(line.split { $0 == " " || $0 == "," }[0]) : nil
      })
  }

  @Test(
    "each command has a page with its options, and examples that it understands",
    arguments: commands.keys.sorted())
  func pages(command: String) async throws {
    let tool = try Tool()
    let page = try await tool.daemon("\(command) --help")
    #expect(page.status == 0 && page.errors.isEmpty)
    #expect(
      page.text.hasPrefix("sealpushd \(command): ") && page.text.contains("\nUsage: sealpushd \(command) "))
    let expected =
      (Self.commands[command] ?? "").split(separator: " ").map(String.init) + ["--quiet", "--help"]
    let options = Self.options(on: page)
    #expect(options == Set(expected))
    #expect(page.lines.allSatisfy { $0.count <= 115 })
    let examples = try #require(page.text.split(separator: "\nExamples:\n").dropFirst().first)
    let words = examples.split(separator: "\n\n")[0].split { $0.isWhitespace }.map(String.init)
    #expect(words.starts(with: ["sealpushd"] + command.split(separator: " ").map(String.init)))
    #expect(words.allSatisfy { !$0.hasPrefix("--") || options.contains($0) })
  }

  @Test("a group's page is that of its command, with those that belong to it")
  func groups() async throws {
    let tool = try Tool()
    let queue = try await tool.daemon("help queue").text
    #expect(queue.contains("\nUsage: sealpushd queue --store PLACE") && queue.contains("\n  queue resend  "))
    let store = try await tool.daemon("store --help").text
    #expect(!store.contains("Usage:") && store.contains("  store backup  "))
    let overview = try await tool.daemon("--help").text
    for command in Self.commands.keys { #expect(overview.contains("\n  \(command)  "), "\(command)") }
    let unknown = try await tool.daemon("queue dred --store push.sqlite")
    #expect(
      unknown.status == 64
        && unknown.errors.contains("'dred' is not an option, and queue takes no other words"))
    let near = try await tool.daemon("queue ded --store push.sqlite")
    #expect(near.status == 64 && near.errors.contains("hint: did you mean queue dead?"))
    let resend = try await tool.daemon("queue resend --help").text
    #expect(resend.contains("\nUsage: sealpushd queue resend [ID…] --store PLACE [OPTIONS]\n"))
  }
}
