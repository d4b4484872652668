private import Glibc
import PushKeys

/// Asks a person for a passphrase, on the terminal and not on the standard streams.
enum PassphrasePrompt {
  /// Asks for a file's passphrase; null without a terminal.
  static func ask(for path: String) throws(ToolError) -> Passphrase? {
    guard let terminal = SilentTerminal() else { return nil }
    return try terminal.ask("Passphrase of \(Terminal.printable(path)): ")
  }

  /// Asks for a new passphrase, twice.
  static func askForNew(for path: String, hint: String) throws(ToolError) -> Passphrase {
    guard let terminal = SilentTerminal() else {
      throw ToolError(.noPermission, "there is no terminal to ask for a passphrase", hint: hint)
    }
    let passphrase = try terminal.ask("New passphrase of \(Terminal.printable(path)): ")
    guard try terminal.ask("The same again: ").isSame(as: passphrase) else {
      throw ToolError(.failed, "the two passphrases differ", hint: "nothing was changed; try again")
    }
    return passphrase
  }
}
