/// The shells that complete the tool's commands.
enum Shell: String, CaseIterable {
  case bash, zsh, fish

  /// The completion script.
  func script(_ words: CommandWords) -> String {
    switch self {
    case .bash: BashCompletion.script(words)
    case .zsh: ZshCompletion.script(words)
    case .fish: FishCompletion.script(words)
    }
  }
}

extension Command {
  /// Prints a completion script for all commands, itself included.
  static func completions(_ commands: @escaping @Sendable () -> [Command]) -> Command {
    Command(
      name: ["completions"], summary: "print the completion script for a shell",
      details: """
        The Debian package has all three in place. Elsewhere put the script where the shell looks for it:

          bash  sealpush completions bash > ~/.local/share/bash-completion/completions/sealpush
          zsh   sealpush completions zsh > FOLDER/_sealpush, with a folder of your $fpath
          fish  sealpush completions fish > ~/.config/fish/completions/sealpush.fish

        Without the package bash-completion, source the file in ~/.bashrc.
        """,
      examples: ["sealpush completions bash"],
      options: [.operand("SHELL", "the shell: bash, zsh or fish")]
    ) { (arguments, console) throws(ToolError) in
      let name = try arguments.required("SHELL")
      guard let shell = Shell(rawValue: name) else {
        throw .usage("there are completions for bash, zsh and fish, not for '\(name)'")
      }
      try console.print(shell.script(CommandWords(commands: commands())))
    }
  }

  /// Prints the manual page of all commands, itself included.
  static func man(_ commands: @escaping @Sendable () -> [Command]) -> Command {
    Command(
      name: ["man"], summary: "print the manual page, for man",
      details: """
        One page, sealpush(1), has all commands. The Debian package has it in place. To read it without:

          sealpush man | man -l -
        """,
      examples: ["sealpush man"],
      options: []
    ) { (_, console) throws(ToolError) in
      try console.print(ManualPage.text(commands()))
    }
  }
}
