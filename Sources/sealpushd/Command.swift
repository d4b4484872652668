/// One of the tool's commands.
struct Command: Sendable {
  /// An option, or a flag.
  struct Option: Sendable {
    /// The name, with the hyphens.
    let name: String
    /// What its value is, such as `FILE`; nil for a flag.
    let value: String?
    /// Whether it may be given more than once.
    var isRepeatable = false
    /// What it is for.
    let summary: String

    /// How it is written.
    var synopsis: String { value.map { "\(name) \($0)" } ?? name }
  }

  let name: String
  /// What it does, in a line.
  let summary: String
  /// More about it, for its page.
  let details: String
  let examples: [String]
  let options: [Option]
  let run: @Sendable (Arguments) async throws(ToolError) -> Void
}

/// The options of one call: each known, with its value, and at most once unless it may be repeated.
struct Arguments {
  private var values: [String: [String]] = [:]

  /// Reads `--name value`, `--name=value` and `--flag`.
  ///
  /// - Throws: ``ToolError``.
  init(parsing words: [String], of command: Command) throws(ToolError) {
    let page = "sealpushd \(command.name) --help"
    var words = words[...]
    while let word = words.popFirst() {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard let option = command.options.first(where: { $0.name == parts[0] }) else {
        throw .usage("there is no option '\(parts[0])' here", hint: page)
      }
      guard option.isRepeatable || values[option.name] == nil else {
        throw .usage("\(option.name) is given twice", hint: page)
      }
      guard let placeholder = option.value else {
        guard parts.count == 1 else { throw .usage("\(option.name) takes no value", hint: page) }
        values[option.name] = []
        continue
      }
      let value =
        parts.count == 2 ? parts[1] : words.first.flatMap { $0.hasPrefix("-") ? nil : words.removeFirst() }
      guard let value, !value.isEmpty else {
        throw .usage("\(option.name) needs a value: \(placeholder)", hint: page)
      }
      values[option.name, default: []].append(value)
    }
  }

  /// The value of an option; nil if it was not given.
  subscript(name: String) -> String? { values[name]?.first }

  /// All values of an option that may be repeated.
  func all(_ name: String) -> [String] { values[name] ?? [] }

  /// Whether an option or a flag was given.
  func has(_ name: String) -> Bool { values[name] != nil }

  /// A port; nil if the option was not given.
  func port(_ name: String) throws(ToolError) -> UInt16? {
    try number(name, 0...65_535, "a port from 0 to 65535, and 0 lets the system choose one").map {
      UInt16($0)
    }
  }

  /// A count; nil if the option was not given.
  func count(_ name: String) throws(ToolError) -> Int? {
    try number(name, 1...1_000_000, "a number from 1 to 1000000")
  }

  private func number(_ name: String, _ range: ClosedRange<Int>, _ what: String) throws(ToolError) -> Int? {
    guard let text = self[name] else { return nil }
    guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(text), range.contains(number)
    else {
      throw .usage("\(name) is \(what)")
    }
    return number
  }
}

/// The manual.
enum Help {
  /// The page that lists the commands.
  static func overview(_ commands: [Command]) -> String {
    """
    sealpushd: sealed pushes over the network

    \(list(commands.map { ($0.name, $0.summary) }))
    sealpushd COMMAND --help explains a command. What holds private keys and needs no network is in sealpush.
    Exit status: 0 done, 1 failed, 64 usage, 65 bad data, 66 no input, 73 cannot create.

    """
  }

  /// A command's page.
  static func page(of command: Command) -> String {
    """
    sealpushd \(command.name): \(command.summary)

    Usage: sealpushd \(command.name) [OPTIONS]

    \(command.details)

    \(list(command.options.map { ($0.synopsis, $0.summary) }))
    Examples:
    \(command.examples.map { "  \($0)\n" }.joined())
    """
  }

  private static func list(_ rows: [(String, String)]) -> String {
    let width = rows.map(\.0.count).max() ?? 0
    return rows.map { "  \($0.0)\(String(repeating: " ", count: width - $0.0.count))  \($0.1)\n" }.joined()
  }
}
