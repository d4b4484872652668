import Testing

@Suite("The manual", .serialized)
struct HelpTests {
  /// Every command, and its options.
  private static let commands: [String: String] = [
    "demo": "", "keys new": "--role --out --suite --now",
    "keys add": "--keys --suite --out --force --dry-run --now", "keys report": "--json --now",
    "doctor": "--json",
    "keys export":
      "--keys --keys-fd --out --force --format --kid --private --merge --beside --without --root --topic",
    "keys import": "--keys --role --format --in --suite --grace --dry-run --now",
    "keys revoke": "--keys --kid --all --out --force --dry-run --now",
    "keys enrol":
      """
    --keys --identity --topic --token --token-file --service --environment --audience --challenge --answer --senders --root --counts \
    --envelope-key --out --force --dry-run --now
    """,
    "keys accept":
      """
    --registrations --registration --person --audience --from --from-fd --request --force --service --key-alone \
    --envelope-key --new --join \
    --challenge --senders --root --topic --in --dry-run --now
    """,
    "keys sign-senders": "--keys --senders --root --topic --expires --serial --out --force --dry-run --now",
    "keys confirm": "--keys --enrolment --grace --dry-run --now",
    "keys forget":
      """
    --registrations --registration --person --identity --token --token-file --service --leave --audience --unregistered-at \
    --dry-run
    """,
    "keys leave": "--keys --identity --topic --audience --out --force --dry-run --now",
    "keys doctor": "--keys --public --senders --root --recipients --topic --now --json",
    "keys list": "--keys --keys-fd --json",
    "keys rotate": "--keys --if-older-than --grace --again --unconfirmed --out --force --dry-run --now",
    "keys prune": "--keys --dry-run --now",
    "keys passphrase": "--keys --new-passphrase-file --new-passphrase-fd --remove",
    "seal": """
    --to --from --from-fd --anonymous --topic --in --out --lifetime --message-id --account --issued-at --headers --suite --title --body \
    --padding --post-quantum \
    --visible --drop --fit --priority --collapse-id --expiration --strict --push-type --envelope-key --now \
    --force --attach --lines --recipients --errors --skip --format --application-id --bare
    """,
    "completions": "", "man": "", "vectors verify": "--opener --vectors --all --json",
    "attach seal": "--out --descriptor --type --url --force", "attach open": "--descriptor --out --force",
    "log": "--json", "lint": "--in --json --envelope-key --strict --push-type --body",
    "open": """
    --keys --keys-fd --senders --root --anonymous --account --topic --now --in --out --envelope-key --push-type --data --force \
    --format
    """,
    "simulate": """
    --keys --keys-fd --senders --root --anonymous --account --topic --now --in --envelope-key --deadline --strings --language \
    --json
    """,
    "inspect": "--in --json --envelope-key --keys --keys-fd --capacity --topic --push-type --title --body",
    "config": "--json",
  ]

  /// The options that stand on the page of `--format`.
  private static let formats: [String: String] = [
    "seal": """
    --in --out --force --title --body --format --secret --unauthenticated --member --derivation --digest --iterations --carriage
    """,
    "open": """
    --in --out --force --format --secret --unauthenticated --member --derivation --digest --iterations --carriage \
    --mode --iv --key-rule
    """,
  ]

  /// The commands that take defaults from the configuration file, or show it.
  private static let configured: Set = [
    "seal", "open", "simulate", "inspect", "keys enrol", "keys leave", "keys accept", "keys sign-senders",
    "keys doctor",
    "config",
  ]

  /// The commands that open private key files, and so take a passphrase.
  private static let opening: Set = [
    "keys new", "keys add", "keys export", "keys list", "keys rotate", "keys prune", "keys passphrase",
    "keys import",
    "keys revoke", "keys doctor", "keys enrol", "keys leave", "keys accept", "keys sign-senders",
    "keys confirm", "seal",
    "open",
    "simulate", "inspect",
  ]

  @Test(arguments: commands.keys.sorted()) func aPageForEachCommand(command: String) async throws {
    let tool = try Tool()
    let page = try await tool.succeed("\(command) --help")
    #expect(page.errors.isEmpty)
    #expect(page.text.hasPrefix("sealpush \(command): "))
    #expect(page.text.contains("Usage: sealpush \(command)"))
    var options = (Self.commands[command] ?? "").split(separator: " ").map(String.init)
    if Self.opening.contains(command) { options += ["--passphrase-file", "--passphrase-fd"] }
    if command == "keys new" { options.append("--passphrase") }
    if Self.configured.contains(command) { options.append("--config") }
    #expect(Self.options(on: page) == (options + ["--quiet", "--help"]).sorted())
    #expect(page.lines.allSatisfy { $0.count <= 110 })
    // Whatever else there is on the line.
    for line in ["\(command) --nonsense -h", "help \(command)", "help \(command) -h", "\(command) -q --help"]
    {
      #expect(try await tool.succeed(line).text == page.text, "\(line)")
    }
  }

  @Test(arguments: formats.keys.sorted()) func aPageOfTheOtherFormats(command: String) async throws {
    let tool = try Tool()
    let page = try await tool.succeed("\(command) --format --help")
    let options = (Self.formats[command] ?? "").split(separator: " ").map(String.init)
    #expect(Self.options(on: page) == (options + ["--quiet", "--help"]).sorted())
    #expect(page.text.contains("\nUsage: sealpush \(command) --format NAME --secret FILE [OPTIONS]\n"))
    #expect(page.text.contains("  openssl-salted ") && page.lines.allSatisfy { $0.count <= 110 })
    for line in [
      "\(command) --help --format zulip", "\(command) -h --format=zulip", "help \(command) --format",
    ] {
      #expect(try await tool.succeed(line).text == page.text, "\(line)")
    }
    let main = try await tool.succeed("\(command) --help")
    #expect(
      !main.text.contains("openssl-salted") && main.text.contains("\(command) --format --help explains it"))
  }

  /// The options that a page lists, in alphabetical order.
  private static func options(on page: Run) -> [String] {
    page.lines.compactMap { line in
      line.hasPrefix("  --") ? String(line.split { $0 == " " || $0 == "," }[0]) : nil
    }.sorted()
  }

  @Test func theOverview() async throws {
    let tool = try Tool()
    let overview = try await tool.succeed("--help")
    for command in Self.commands.keys {
      #expect(overview.lines.contains { $0.hasPrefix("  \(command)  ") }, "\(command)")
    }
    for line in ["-h", "help", "--help seal"] {
      #expect(try await tool.succeed(line).text == overview.text)
    }
    #expect(try await tool.succeed("--version").text.hasPrefix("sealpush "))
  }

  @Test func theCommandsOfAGroup() async throws {
    let tool = try Tool()
    let page = try await tool.succeed("keys --help")
    let keys = Self.commands.keys.filter { $0.hasPrefix("keys ") }
    #expect(page.lines.count { $0.hasPrefix("  keys ") } == keys.count)
    for command in keys { #expect(page.lines.contains { $0.hasPrefix("  \(command)  ") }, "\(command)") }
    for line in ["keys -h", "help keys"] { #expect(try await tool.succeed(line).text == page.text) }
    try await tool.refuse("help fly", 64, "there is no command 'fly'")
    try await tool.refuse("fly --help", 64, "there is no command 'fly'")
  }
}
