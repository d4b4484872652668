import PushEnvelope
import PushKeys

extension Command {
  static let keysNew = Command(
    name: ["keys", "new"], summary: "make a key file for a device, a sender, or both sides",
    details: """
      The file is made with mode 0600 and never replaces another. A device opens what is sealed to it; a
      sender signs. Hand out the public half: sealpush keys export --keys FILE
      An identity vouches for a device's keys (keys enrol makes one), a root for a sender's (keys sign-senders):
      keep a root's file offline, and build its public half into the app.
      Shared keys seal and open. They have no public half: copy the file itself to the other side, where nobody
      else can read it. Whoever has it can do both, so a device's own keys are the better choice.
      With a passphrase the file is encrypted, and every command that opens it asks for the passphrase, or has
      --passphrase-file or --passphrase-fd.
      """,
    options: [
      .required("--role", "ROLE", "whose keys they are: device, sender, shared, identity or root"),
      .required("--out", "FILE", "the file to make", file: .output),
      .optional("--suite", "NAME", "a device's suite: x25519-chachapoly (default) or p256-aesgcm"),
      .flag("--passphrase", "encrypt the file; asks for a passphrase, twice, unless an option has it"), .now,
    ] + Option.passphrase
  ) { (arguments, console) throws(ToolError) in
    guard let role = KeyRole(rawValue: try arguments.required("--role")) else {
      throw .usage("--role is device, sender, shared, identity or root")
    }
    let suite = try arguments.suite()
    guard role == .device || suite == nil else {
      throw .usage("only a device's keys have a choice of suites")
    }
    guard suite != .sharedChaChaPoly else { throw .usage("shared keys are made with --role shared") }
    let path = try arguments.required("--out")
    guard path != "-" else { throw .usage("--out is a file: private keys are not printed") }
    let passphrase = try newPassphrase(arguments, path)
    let keys = KeySet(generating: role, suite: suite ?? .x25519ChaChaPoly, at: try arguments.now())
    do throws(KeyFileError) {
      try KeyFile(path: path, passphrase: passphrase).create(keys)
    } catch {
      throw KeyFileFailure.writing(error, path, existing: "a key file is never replaced by a new one")
    }
    console.note("made \(path); \(advice(role, path))")
  }

  /// What to do with a new file.
  private static func advice(_ role: KeyRole, _ path: String) -> String {
    let export = "sealpush keys export --keys \(ShellWord.quoted(path))"
    return switch role {
    case .shared: "copy it to the other side, where nobody else can read it"
    case .root: "keep it offline, and build into the app: \(export)"
    case .identity: "it stays on the device"
    case .device, .sender: "hand out: \(export)"
    }
  }

  /// What encrypts a new file, if that is wanted.
  private static func newPassphrase(
    _ arguments: Arguments, _ path: String
  ) throws(ToolError) -> Passphrase? {
    guard arguments.passphrase == nil, arguments.has("--passphrase") else { return arguments.passphrase }
    // Before a person types it.
    _ = try FileOutput(path, replaces: false, existing: "a key file is never replaced by a new one")
    return try PassphrasePrompt.askForNew(for: path, hint: KeyFileFailure.passphraseSources)
  }
}
