import PushKeys

extension Command {
  static let keysPassphrase = Command(
    name: ["keys", "passphrase"], summary: "encrypt a key file, change its passphrase, or decrypt it",
    details: """
      Asks on the terminal for the current passphrase, if there is one, and twice for the new one, unless
      options provide them. The keys stay the same. Existing copies of the file do not change, and still open
      as before.
      """,
    examples: [
      "sealpush keys passphrase --keys sender.jwks --new-passphrase-file passphrase",
      "sealpush keys passphrase --keys sender.jwks --passphrase-file passphrase --remove",
    ],
    options: [.keys] + Parameter.passphrase + [
      .optional(SourceOptions.newPassphrase.file, "a file whose first line is the new passphrase"),
      .optional(
        SourceOptions.newPassphrase.descriptor, "a file descriptor whose next line is the new passphrase"),
      .flag(.remove, "decrypt the file"),
    ]
  ) { (arguments, console) throws(ToolError) in
    let path = try arguments.required(.keys)
    let source = try PassphraseSource(from: arguments, option: .newPassphrase)
    guard source == nil || !arguments.has(.remove) else {
      throw .usage("\(Flag.remove) and a new passphrase exclude each other")
    }
    // The old passphrase must be right before a person types the new one.
    let file = try Keys.open(path, passphrase: arguments.passphrase) { (file) throws(KeyFileError) in
      try file.checkPassphrase()
      return file
    }
    try file.setPassphrase(to: try newPassphrase(from: source, arguments: arguments, for: path))
    console.note(
      arguments.has(.remove) ? "\(path) is not encrypted" : "\(path) is encrypted with the new passphrase")
  }

  /// The passphrase that the file is to have; nil to decrypt it.
  private static func newPassphrase(
    from source: PassphraseSource?, arguments: Arguments, for path: String
  ) throws(ToolError) -> Passphrase? {
    guard !arguments.has(.remove) else { return nil }
    guard let source else {
      return try PassphrasePrompt.askForNew(
        for: path, hint: "--new-passphrase-file FILE or --new-passphrase-fd N provides it")
    }
    return try source.read()
  }
}

extension KeyFile {
  /// Sets the passphrase, with errors in the operator's words.
  fileprivate func setPassphrase(to new: Passphrase?) throws(ToolError) {
    do throws(KeyFileError) {
      try setPassphrase(new)
    } catch {
      throw KeyFileFailure.describe(error)
    }
  }
}

extension Flag {
  fileprivate static let remove = Flag("--remove")
}
