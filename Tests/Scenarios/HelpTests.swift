import Testing

@Suite("The manual", .serialized)
struct HelpTests {
  /// Every command, and its options.
  private static let commands: [String: String] = [
    "demo": "", "keys new": "--role --out --suite --now",
    "keys export": "--keys --out --force --format --kid --private --merge --without",
    "keys import": "--keys --role --format --in --suite --grace --dry-run --now",
    "keys revoke": "--keys --kid --out --force --dry-run --now",
    "keys enrol":
      """
    --keys --identity --topic --token --environment --audience --challenge --answer --senders --root \
    --envelope-key --out --force --dry-run --now
    """,
    "keys accept":
      """
    --registrations --registration --person --audience --from --request --force --key-alone --envelope-key --new \
    --challenge --senders --root --topic --in --dry-run --now
    """,
    "keys sign-senders": "--keys --senders --root --topic --expires --serial --out --force --dry-run --now",
    "keys confirm": "--keys --enrolment --grace --dry-run --now",
    "keys forget": "--registrations --registration --token --unregistered-at --dry-run",
    "keys doctor": "--keys --public --senders --root --recipients --topic --now --json",
    "keys list": "--keys --json",
    "keys rotate": "--keys --if-older-than --grace --unconfirmed --out --force --dry-run --now",
    "keys prune": "--keys --dry-run --now",
    "keys passphrase": "--keys --new-passphrase-file --new-passphrase-fd --remove",
    "seal": """
    --to --from --anonymous --topic --in --out --lifetime --message-id --issued-at --headers --suite --title --padding \
    --visible --drop --fit --priority --collapse-id --expiration --strict --push-type --envelope-key --now \
    --force --attach --lines --recipients --errors --skip \
    --format --secret --unauthenticated --member --derivation --digest --iterations --carriage
    """,
    "vectors verify": "--opener --vectors --json",
    "attach seal": "--out --descriptor --type --url --force", "attach open": "--descriptor --out --force",
    "log": "--json", "lint": "--in --json --envelope-key --strict --push-type",
    "open": """
    --keys --senders --root --anonymous --topic --now --in --out --envelope-key --push-type --data --force --format \
    --secret --unauthenticated --member --derivation --digest --iterations --carriage --mode --iv --key-rule
    """,
    "simulate": """
    --keys --senders --root --anonymous --topic --now --in --envelope-key --deadline --strings --language --json
    """,
    "inspect": "--in --json --envelope-key --keys --capacity --topic --push-type --title",
  ]

  /// The commands that open private key files, and so take a passphrase.
  private static let opening: Set = [
    "keys new", "keys export", "keys list", "keys rotate", "keys prune", "keys passphrase", "keys import",
    "keys revoke", "keys doctor", "keys enrol", "keys accept", "keys sign-senders", "keys confirm", "seal",
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
    let named = page.lines.compactMap { $0.hasPrefix("  --") ? String($0.split(separator: " ")[0]) : nil }
    #expect(named.sorted() == options.sorted())
    #expect(page.lines.allSatisfy { $0.count <= 110 })
    // Whatever else there is on the line.
    #expect(try await tool.succeed("\(command) --nonsense -h").text == page.text)
  }

  @Test func theOverview() async throws {
    let tool = try Tool()
    let overview = try await tool.succeed("--help")
    for command in Self.commands.keys {
      #expect(overview.lines.contains { $0.hasPrefix("  \(command)  ") }, "\(command)")
    }
    for line in ["", "-h", "help", "keys --help", "keys -h"] {
      #expect(try await tool.succeed(line).text == overview.text)
    }
    #expect(try await tool.succeed("--version").text.hasPrefix("sealpush "))
  }
}
