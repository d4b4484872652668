import Testing

@Suite("Completion", .serialized)
struct CompletionTests {
  private let tool: Tool

  init() throws { tool = try Tool() }

  @Test func bashOffersTheWordsOfCommands() async throws {
    let first = try await offered("sealpush", "")
    #expect(first.contains("seal") && first.contains("completions") && first.contains("--version"))
    #expect(first.count { $0 == "keys" } == 1)
    #expect(try await offered("sealpush", "sim") == ["simulate"])
    #expect(try await offered("sealpush", "keys", "e") == ["export", "enrol"])
    // The command itself has no others.
    #expect(try await offered("sealpush", "seal", "--he") == ["--headers", "--help"])
    #expect(try await offered("sealpush", "nonsense", "").isEmpty)
    #expect(try await offered("sealpush", "he") == ["help"])
    #expect(try await offered("sealpush", "help", "sim") == ["simulate"])
    #expect(try await offered("sealpush", "help", "keys", "e") == ["export", "enrol"])
    #expect(try await offered("sealpush", "help", "keys", "export", "").isEmpty)
  }

  /// The help and the completion come from one table; nothing is left out on the way.
  @Test(arguments: [
    "keys new", "keys accept", "seal", "open", "inspect", "attach open", "completions", "man",
  ])
  func bashOffersEachOptionOfTheHelp(command: String) async throws {
    var named = Set(try await options(onPage: "\(command) --help"))
    // Their options for other systems' formats have a page of their own.
    if ["seal", "open"].contains(command) {
      named.formUnion(try await options(onPage: "\(command) --format --help"))
    }
    let words = ["sealpush"] + command.split(separator: " ").map(String.init) + ["--"]
    #expect(try await offered(words).sorted() == named.sorted())
  }

  private func options(onPage line: String, of program: String = "sealpush") async throws -> [String] {
    try await page(line, of: program).lines.compactMap { line in
      line.hasPrefix("  --") ? String(line.split(whereSeparator: { " ,".contains($0) })[0]) : nil
    }
  }

  /// What a program prints when it is called with these words.
  private func page(_ line: String, of program: String) async throws -> Run {
    program == "sealpush" ? try await tool.succeed(line) : try await tool.daemon(line)
  }

  @Test func theServersToolCompletesItsOwnCommands() async throws {
    #expect(try await offered("sealpushd", "w") == ["work"])
    #expect(try await offered("sealpushd", "queue", "d") == ["dead", "delete"])
    #expect(try await offered("sealpushd", "devices", "--state", "p") == ["proven", "pending"])
    #expect(try await offered("sealpushd", "enqueue", "--priority", "").count == 10)
    for (word, shell) in [("#compdef", "zsh"), ("complete -c", "fish")] {
      let script = try await tool.daemon("completions \(shell)").text
      #expect(script.contains("\(word) sealpushd") && !script.contains("\(word) sealpush\n"))
    }
  }

  /// A command that is also a group has its own options, and not those of its members.
  @Test(arguments: ["queue", "queue dead", "devices", "devices accept", "work", "apns", "completions", "man"])
  func bashOffersEachOptionOfTheServersHelp(command: String) async throws {
    let named = try await options(onPage: "\(command) --help", of: "sealpushd")
    let words = ["sealpushd"] + command.split(separator: " ").map(String.init) + ["--"]
    #expect(try await offered(words).sorted() == named.sorted())
  }

  @Test func bashOffersFilesWhereAFileIsNamed() async throws {
    for name in ["device key.jwks", "device.json"] { try tool.write("{}", to: name) }
    #expect(
      try await offered("sealpush", "open", "--keys", "dev").sorted() == ["device key.jwks", "device.json"])
    #expect(try await offered("sealpush", "open", "--keys", "=", "device.").sorted() == ["device.json"])
    #expect(try await offered("sealpush", "attach", "open", "device.").sorted() == ["device.json"])
    #expect(try await offered("sealpush", "log", "device.") == ["device.json"])
    // Nobody but the user knows a topic, and a file's name is none.
    #expect(try await offered("sealpush", "open", "--topic", "").isEmpty)
    #expect(try await offered("sealpush", "vectors", "verify", "--vectors", "").isEmpty)
  }

  /// What is offered for an option is what its error says that it is.
  @Test(arguments: [
    ("keys new --role", "--out x"), ("keys new --suite", "--role device --out x"),
    ("keys import --role", "--keys x --format pem --in x"),
    ("keys import --format", "--keys x --role device --in x"),
    ("keys enrol --environment", "--keys x --topic a --token 00 --audience b"),
    ("seal --padding", "--topic a"), ("seal --fit", "--topic a"),
    ("seal --push-type", "--topic a"), ("seal --format", "--secret x"), ("open --format", "--secret x"),
    ("completions", ""),
  ])
  func wordsAreThoseOfTheErrors(option: String, others: String) async throws {
    let words = ["sealpush"] + option.split(separator: " ").map(String.init)
    let offered = try await offered(words + [""])
    #expect(offered.count > 1)
    let run = try await tool.run("\(option) nonsense \(others)")
    #expect(run.status == 64, "\(run.errors)")
    for word in offered { #expect(run.errors.contains(word), "\(word): \(run.errors)") }
  }

  @Test func eachShellHasItsScript() async throws {
    #expect(try await tool.succeed("completions zsh").text.hasPrefix("#compdef sealpush\n"))
    #expect(try await tool.succeed("completions fish").text.contains("\ncomplete -c sealpush "))
    try await tool.refuse("completions tcsh", 64, "bash, zsh and fish, not for 'tcsh'")
    try await tool.refuse("completions", 64, "SHELL is missing")
  }

  @Test(arguments: ["sealpush", "sealpushd"])
  func theManualHasEveryCommandAndOption(program: String) async throws {
    let page = try await page("man", of: program).text
    let overview = try await self.page("--help", of: program)
    #expect(
      page.contains(".TH \(program.uppercased()) 1 ") && page.contains("\\fB\(program) completions\\fR"))
    let ofEveryCommand = ["--help", "--quiet"]
    let commands = overview.lines.compactMap { line in
      line.hasPrefix("  ")
        ? line.dropFirst(2).firstRange(of: "  ").map { line.dropFirst(2)[..<$0.lowerBound] } : nil
    }
    #expect(commands.count > 15)
    for command in commands {
      #expect(page.contains(".SS \(command.replacing("-", with: "\\-"))\n"), "\(command)")
      for option in try await options(onPage: "\(command) --help", of: program)
      where !ofEveryCommand.contains(option) {
        let name = option.replacing("-", with: "\\-")
        #expect(page.contains(".TP\n\\fB\(name)\\fR"), "\(command) \(name)")
      }
    }
    // What every command takes is said once.
    for option in ofEveryCommand { #expect(page.contains(".BR \(option.replacing("-", with: "\\-")) ,\n")) }
    for status in [0, 1, 64, 65, 66, 73, 75, 77] { #expect(page.contains(".TP\n\(status)\n")) }
    // A line that begins with a period and no request would vanish.
    for line in page.split(separator: "\n") where line.hasPrefix(".") || line.hasPrefix("'") {
      #expect(
        line.prefixMatch(of: #/\.(\\"|TH|SH|SS|B|I|BR|RI|TP|PP|RS|RE|nf|fi|br|nh|ad)\b|\.\\"/#) != nil,
        "\(line)")
    }
  }

  private func offered(_ words: String...) async throws -> [String] { try await offered(words) }

  /// What bash offers for the last word.
  private func offered(_ words: [String]) async throws -> [String] {
    let script = """
      source <('\(words[0] == "sealpush" ? Tool.binary : Tool.daemon)' completions bash) || exit
      COMP_WORDS=("$@")
      COMP_CWORD=$(($# - 1))
      _\(words[0])
      for word in "${COMPREPLY[@]}"; do printf '%s\\n' "$word"; done
      """
    let run = try await tool.execute(["/bin/bash", "-c", script, "bash"] + words)
    #expect(run.errors.isEmpty && run.status == 0, "\(run.errors)")
    return run.lines
  }
}
