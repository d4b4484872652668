/// The shells that complete the tool's commands.
enum Shell: String, CaseIterable {
  case bash, zsh, fish

  /// The completion script.
  func script(for words: CommandWords) -> String {
    switch self {
    case .bash: BashCompletion.script(for: words)
    case .zsh: ZshCompletion.script(for: words)
    case .fish: FishCompletion.script(for: words)
    }
  }
}

extension Command {
  /// Prints a completion script for all commands of a tool, itself included.
  package static func completions(of name: String, program: @escaping @Sendable () -> Program) -> Command {
    Command(
      of: name, name: ["completions"], summary: "print the completion script for a shell",
      details: """
        If no package has installed it, write the script to where the shell looks for it:

          bash  \(name) completions bash > ~/.local/share/bash-completion/completions/\(name)
          zsh   \(name) completions zsh > FOLDER/_\(name), with a folder of your $fpath
          fish  \(name) completions fish > ~/.config/fish/completions/\(name).fish

        Without the package bash-completion, source the file in ~/.bashrc.
        """,
      examples: ["\(name) completions bash"],
      options: [
        .operand(.shell, "the shell: bash, zsh or fish").offering(Shell.allCases.map(\.rawValue))
      ]
    ) { (arguments, console) throws(ToolError) in
      let name = try arguments.required(.shell)
      guard let shell = Shell(rawValue: name) else {
        throw .usage("there are completions for bash, zsh and fish, not for '\(name)'")
      }
      try console.print(shell.script(for: CommandWords(of: program())))
    }
  }

  /// Prints the manual page of all commands of a tool, itself included.
  package static func man(of name: String, program: @escaping @Sendable () -> Program) -> Command {
    Command(
      of: name, name: ["man"], summary: "print the manual page, for man",
      details: """
        A single page, \(name)(1), has all commands. If no package has installed it, read it like this:

          \(name) man | man -l -
        """,
      examples: ["\(name) man"],
      options: []
    ) { (_, console) throws(ToolError) in
      try console.print(ManualPage.text(of: program()))
    }
  }
}

extension Operand {
  fileprivate static let shell = Operand("SHELL")
}
