import PushCore

extension Command {
  static let config = Command(
    name: ["config"], summary: "show the defaults of the configuration file",
    details: """
      The file is a JSON object with any of the members topic, from, senders and post-quantum: defaults for
      --topic, --from, --senders and --post-quantum. Paths are relative to the file's folder. The file is the
      one that --config names; otherwise the one that the environment variable SEALPUSH_CONFIG names;
      otherwise sealpush.json in the current folder.

      A command uses a default only if it would fail without that option, so the file changes no command that
      works without it. The exception is post-quantum, which seal always uses. An option that is given
      overrides the file, and --anonymous overrides from and senders. Errors name what came from the file.

      The file decides whom to trust, so it must belong to you or to root, in a place where nobody else can
      change or replace it. Never put secrets into it.
      """,
    examples: [
      "sealpush config", "sealpush config --config production.json --json",
    ],
    options: [.json, .optional(.config, "the file to show")]
  ) { (arguments, console) throws(ToolError) in
    let file = try ConfigurationFile.find(option: arguments[.config])
    try console.print(arguments.has(.json) ? json(of: file) : text(of: file))
  }

  private static func text(of file: ConfigurationFile?) -> String {
    guard let file else {
      return
        "no file: neither --config nor SEALPUSH_CONFIG names one, and the current folder has no sealpush.json\n"
    }
    let rows = Configuration.Member.allCases.map { member in
      [
        member.option.description, file.configuration[member] ?? "-",
        source(of: member, in: file) ?? "not in the file",
      ]
      .map(Terminal.printable)
    }
    let all = [["OPTION", "DEFAULT", "FROM"]] + rows
    let widths = all[0].indices.map { column in all.map { $0[column].count }.max() ?? 0 }
    let lines = all.map { row in
      "\(Help.padded(row[0], to: widths[0]))  \(Help.padded(row[1], to: widths[1]))  \(row[2])\n"
    }
    let found = file.source == .folder ? "in the current folder" : "named by \(file.source.text)"
    return Terminal.printable("file: \(file.path), \(found)") + "\n\n\(lines.joined())"
  }

  private static func json(of file: ConfigurationFile?) -> String {
    var object: JSONObject = [
      "file": file.map { .string($0.path) } ?? .null,
      "found": file.map { .string($0.source.text) } ?? .null,
    ]
    for member in Configuration.Member.allCases {
      object[member.rawValue] =
        file.flatMap { file in
          file.configuration[member].map { value in
            .object(["value": .string(value), "source": .string(source(of: member, in: file) ?? "")])
          }
        } ?? .null
    }
    return object.jsonLine
  }

  /// Where a default comes from; nil if the file has none.
  private static func source(of member: Configuration.Member, in file: ConfigurationFile) -> String? {
    file.configuration[member].map { _ in "\(file.path): \(member.rawValue)" }
  }
}
